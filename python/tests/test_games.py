"""Tables of games and networks, where the package is built with them."""

from pathlib import Path

import numpy as np
import pytest
import roughboard as rb

DATA = Path(__file__).parents[2] / "datasets"


def has_games():
    try:
        rb.Network.load("")
    except ImportError:
        return False
    except FileNotFoundError:
        return True
    raise AssertionError("there is no such network")


HAS_GAMES = has_games()
GAME = """[Game "Chinese Chess"]
[Result "1-0"]
[Format "ICCS"]

1. H2-E2 H9-G7
2. H0-G2 I9-H9
1-0
"""


@pytest.mark.skipif(HAS_GAMES, reason="built with games")
def test_without_games_it_is_said_how_to_get_them():
    for ask in (lambda: rb.read_table("games.pgn"), lambda: rb.Network.load("net.safetensors")):
        with pytest.raises(ImportError, match="without the feature `games`"):
            ask()


@pytest.mark.skipif(not HAS_GAMES, reason="built without games")
def test_games_become_a_table(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(GAME)
    table = rb.read_table(path)
    assert (table.n_objects, table.decision, table.values("result")) == (4, "result", [1] * 4)
    assert len(table.attributes) == 91
    later = rb.read_table([path], skip_plies=2, features="board91")
    assert later.n_objects == 2
    with pytest.warns(rb.RoughWarning, match="1 of 2 games is a duplicate, which counts each time"):
        assert rb.read_table([path, path]).weights.tolist() == [2] * 4
    with pytest.raises(ValueError, match="features"):
        rb.read_table(path, features="none")
    with pytest.raises(ValueError, match="`game` must be one of"):
        rb.read_table(path, game="chess")


@pytest.mark.skipif(not HAS_GAMES, reason="built without games")
def test_networks_tell_the_value_for_the_side_that_moves_first(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(GAME)
    for name in ("bp", "rough", "td"):
        network = rb.Network.load(DATA / "nets" / f"{name}.safetensors")
        table = rb.read_table(path, features=network.features)
        assert (network.game, network.attributes) == ("xiangqi", table.attributes)
        values = network.predict(table)
        assert values.shape == (4,) and np.all(np.abs(values) <= 1)
        columns = {name: np.array(table.values(name)) for name in reversed(table.attributes)}
        assert network.predict(columns).tolist() == values.tolist()
        assert network.predict({"moves": [[1]] * 4, **columns}).tolist() == values.tolist()
    with pytest.raises(ValueError, match="no column"):
        network.predict({"a": [1]})
    with pytest.raises(ValueError, match="expected one of"):
        network.predict({**columns, table.attributes[0]: [99] * 4})
