"""Threads, signals, forks and certificates."""

import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest
import roughboard as rb


def hard():
    """A table whose shortest reduct takes a while to prove."""
    random = np.random.default_rng(7)
    return rb.Table(random.integers(0, 2, size=(400, 45)), random.integers(0, 2, size=400))


def test_results_do_not_depend_on_threads():
    table = hard()
    before = rb.get_threads()
    answers = []
    for n_threads in (1, 3):
        rb.set_threads(n_threads)
        assert rb.get_threads() == n_threads
        answers.append((rb.reduct(table), rb.core(table), rb.partition(table).labels.tolist()))
    rb.set_threads(before)
    assert answers[0] == answers[1]


def test_other_threads_go_on():
    table, ticks = hard(), []
    finished = threading.Event()
    ticker = threading.Thread(target=lambda: [ticks.append(finished.wait(0.01)) for _ in range(20)])
    ticker.start()
    rb.minimum_reduct(table, time_limit=1.0)
    ticker.join()
    assert len(ticks) == 20


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs alarms")
def test_ctrl_c_ends_a_search():
    table = hard()
    reduct = rb.reduct(table)
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        searches = (
            lambda: rb.minimum_reduct(table),
            lambda: sum(1 for _ in rb.reducts(table)),
            lambda: rb.certify(table, reduct=reduct, lower_bound=True),
            lambda: rb.rules(table, source="minimal", limit=10**9),
        )
        for search in searches:
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            start = time.monotonic()
            with pytest.raises(KeyboardInterrupt):
                search()
            assert time.monotonic() - start < 5
            assert rb.gamma(table) == 1.0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def test_a_limit_of_time_leaves_a_bound():
    found = rb.minimum_reduct(hard(), time_limit=0.5)
    assert 0 < found.lower_bound <= len(found.reduct)


def test_reducts_come_while_others_are_sought():
    table = hard()
    found = rb.reducts(table)
    first = next(found)
    assert rb.certify(table, reduct=first).attributes == list(first)
    assert len(list(rb.reducts(table, limit=5))) == 5


def own_threads():
    rb.set_threads(2)
    return rb.get_threads() == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("first", [lambda: True, own_threads], ids=["as it is", "with threads of its own"])
def test_a_forked_process_computes_too(first):
    table = hard()
    expected = rb.gamma(table)
    child = os.fork()
    if child == 0:
        os._exit(0 if first() and rb.gamma(table) == expected else 1)
    for _ in range(200):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.05)
    else:
        os.kill(child, signal.SIGKILL)
        pytest.fail("the forked process hangs")
    assert os.waitstatus_to_exitcode(status) == 0


def test_certificates_go_round():
    table = rb.Table({"a": [0, 1, 1, 2], "b": [0, 0, 1, 1]}, ["x", "y", "y", "z"])
    certificate = rb.certify(table, reduct=rb.reduct(table), lower_bound=True)
    assert certificate.lower_bound == 1
    again = rb.Certificate(certificate.to_json())
    assert again == certificate
    assert rb.verify(table, certificate=again) == []
    other = rb.Table({"a": [0, 0, 1, 2], "b": [0, 0, 1, 1]}, ["x", "y", "y", "z"])
    assert "objects 0 and 1 have the same label" in rb.verify(other, certificate=certificate)[0]
    assert "<td>0</td><td>1</td>" in certificate._repr_html_()


def test_a_shortest_reduct_with_its_certificate():
    table = rb.Table({"a": [0, 1, 1, 2], "b": [0, 0, 1, 1]}, ["x", "y", "y", "z"])
    found = rb.minimum_reduct(table, certificate=True)
    assert (found.certificate.attributes, found.certificate.lower_bound) == (list(found.reduct), found.lower_bound)
    assert rb.verify(table, certificate=found.certificate) == []
    assert rb.minimum_reduct(table).certificate is None


def test_results_are_shown_in_notebooks():
    table = rb.Table({"<a>": list(range(30)), "b": [0, 1] * 15}, ["x", "y"] * 15)
    found = rb.minimum_reduct(table, certificate=True)
    rules = rb.rules(table, source="mlem2")
    whole = rb.approximations(table)
    cuts = rb.discretize(table)
    partition = rb.partition(table)
    for result in (table, partition, whole, whole["x"], rb.reduct(table), found, found.certificate, rules, rules[0], cuts):
        shown = result._repr_html_()
        assert shown.startswith("<p>") and "<a>" not in shown
    assert "and 10 more" in partition._repr_html_()
    assert "None is shorter" not in repr(found) and "none is shorter" in found._repr_html_()


def test_what_can_be_pickled():
    table = rb.Table({"a": [0, 1]}, ["x", "y"])
    found = rb.reduct(table)
    assert pickle.loads(pickle.dumps(found)) == found
    with pytest.raises(TypeError, match="pickle the data"):
        pickle.dumps(table)
