"""Compares how fast games are imported with every move checked: roughboard, cchess and pyffish, each on one thread.

`roughboard games convert` writes the same games in the notation that each peer reads: Chinese for cchess (a file a game,
as its reader takes them), squares with ranks 1 to 10 for pyffish, which is a move generator without a reader of PGN: it is
given the moves of a game as a list, and replays them with its check of legality. A peer that is not installed is left out.

    pip install cchess pyffish
    python3 benches/peers/notation.py games.pgn.zst --roughboard target/release/roughboard
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def converted(arguments, notation, folder):
    """The games in `notation`: the path of a PGN file."""
    path = Path(folder) / f"{notation}.pgn"
    command = [arguments.roughboard, "games", "convert", arguments.games, "--notation", notation, "--out", str(path)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return path


def texts(path, count):
    """The texts of the first `count` games of a PGN file."""
    games = path.read_text(encoding="utf-8").split("\n\n[")
    return [("[" if index else "") + text for index, text in enumerate(games[:count])]


def by_roughboard(arguments, path):
    """Games a second of the whole process, start and printing included; the best of three runs."""
    seconds = []
    for _ in range(3):
        begin = time.perf_counter()
        command = [arguments.roughboard, "games", "read", str(path), "--threads", "1", "--json"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        seconds.append(time.perf_counter() - begin)
    count = path.read_text(encoding="utf-8").count("[Result ")
    return count, count / min(seconds)


def by_cchess(path, count, folder):
    """Games a second through the reader of cchess; it tells of no errors, so the moves are counted."""
    import cchess

    files = []
    for index, text in enumerate(texts(path, count)):
        file = Path(folder) / f"{index}.pgn"
        file.write_text(text, encoding="utf-8")
        files.append(str(file))
    begin = time.perf_counter()
    games = [cchess.read_from_pgn(file) for file in files]
    seconds = time.perf_counter() - begin
    played = sum(1 for game in games if game.first_move is not None)
    return f"cchess, {played} of {len(games)} games with moves", len(games) / seconds


def by_pyffish(path, count):
    """Games a second of splitting moves and replaying them."""
    import pyffish

    start = pyffish.start_fen("xiangqi")
    begin = time.perf_counter()
    games = texts(path, count)
    for text in games:
        body = text.rsplit("]\n", 1)[1]
        moves = [word for word in body.split() if word[0].isalpha()]
        pyffish.get_fen("xiangqi", start, moves)
    return f"pyffish, {len(games)} games", len(games) / (time.perf_counter() - begin)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", help="a file of Xiangqi games that roughboard reads")
    parser.add_argument("--roughboard", default="target/release/roughboard")
    parser.add_argument("--count", type=int, default=200, help="how many games the peers are given")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        simplified, squares = (converted(arguments, name, folder) for name in ("chinese-simplified", "uci"))
        print("| program | games/s | times roughboard takes less |")
        print("|---|---|---|")
        for path, peer in ((simplified, lambda: by_cchess(simplified, arguments.count, folder)),
                           (squares, lambda: by_pyffish(squares, arguments.count))):
            count, own = by_roughboard(arguments, path)
            print(f"| roughboard, {path.name}, {count} games | {own:.0f} | 1 |")
            try:
                name, speed = peer()
            except ImportError as missing:
                print(f"left out: {missing}", file=sys.stderr)
                continue
            print(f"| {name} | {speed:.0f} | {own / speed:.0f} |")


if __name__ == "__main__":
    main()
