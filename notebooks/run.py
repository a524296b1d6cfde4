#!/usr/bin/env python3
"""Runs the notebooks, two at a time, on the real Rust kernel.

    notebooks/run.py --check [NOTEBOOK ...]    run them; fail when a cell fails or prints something new
    notebooks/run.py --write [NOTEBOOK ...]    run them and save their outputs, in the one form that gives clean diffs
    notebooks/run.py --self-test               prove that --check rejects each notebook in tests/must_fail

Without names it takes every notebook beside this file. Set up first: notebooks/setup --no-open.

The kernel answers "ok" when a cell panics, fails an assertion or leaves by `?` with an error; then there are only words
on standard error, and they may come after the answer, when a usual runner has stopped listening. So here a cell passes
only if the kernel says "ok" AND nothing came on standard error, up to a marker that is printed behind every cell.
"""

import argparse
import concurrent.futures
import difflib
import fcntl
import os
import pathlib
import queue
import re
import shutil
import signal
import sys
import threading
import time
import uuid

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
VENV = (HERE / ".venv").resolve()

try:
    if pathlib.Path(sys.prefix).resolve() != VENV:
        if not (VENV / "pyvenv.cfg").exists():
            raise ImportError("without this file its Python is not of VENV, and would start itself for ever")
        os.execv(VENV / "bin/python", [VENV / "bin/python", __file__, *sys.argv[1:]])
    import nbformat
    from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel
    from jupyter_client.manager import KernelManager
except (OSError, ImportError):
    sys.exit("run.py: Jupyter is not set up: run notebooks/setup --no-open")


STANDS_ON_ALL = ROOT / "target/notebooks/stands_on_all"


def stand_on_all(paths):
    """Writes a crate with all that the first cells of these notebooks ask for. Each kernel then has it too: so every
    crate has the same features in all notebooks, and is compiled once and not for each of them."""
    wanted = {}
    for path in paths:
        try:
            cells = read(path).cells
        except Failure:
            continue  # said when its turn comes
        first = next((cell.source for cell in cells if cell.cell_type == "code"), "")
        for name, folder, features in re.findall(r'^:dep (\w+) = { path = "(.*?)"(.*) }$', first, re.MULTILINE):
            wanted[name] = (os.path.normpath(HERE / folder), features or wanted.get(name, ("", ""))[1])
    lines = [f'{name} = {{ path = "{folder}"{features} }}' for name, (folder, features) in sorted(wanted.items())]
    package = '[package]\nname = "stands_on_all"\nversion = "0.0.0"\nedition = "2024"\n\n[dependencies]\n'
    (STANDS_ON_ALL / "src").mkdir(parents=True, exist_ok=True)
    (STANDS_ON_ALL / "src/lib.rs").touch()
    (STANDS_ON_ALL / "Cargo.toml").write_text(package + "\n".join(lines) + "\n")


class Failure(Exception):
    """What is wrong with a notebook: the cell (counting code cells from 1; 0 for the whole file) and the reason."""

    def __init__(self, cell, reason, detail=""):
        super().__init__(reason)
        self.cell, self.reason, self.detail = cell, reason, detail


interrupted = threading.Event()
this_thread = threading.local()  # has the name of its session
stands = threading.Event()  # what most notebooks stand on is compiled: a new session's folder begins with a copy of it


class Kernel:
    """A running kernel, used with `with`; whatever happens, nothing of it is left behind."""

    def __enter__(self):
        specs = KernelSpecManager(kernel_dirs=[str(VENV / "share/jupyter/kernels")], ensure_native_kernel=False)
        self.manager = KernelManager(kernel_name="rust", kernel_spec_manager=specs)
        session = getattr(this_thread, "session", "run")  # each start of a thread is a session of the same name
        while session != "run" and not stands.wait(1):
            if interrupted.is_set():
                raise KeyboardInterrupt
        self.log = open(ROOT / f"target/notebooks/{session}.log", "w+")  # the compiler's progress goes here
        environment = dict(os.environ, JPY_SESSION_NAME=session)
        self.manager.start_kernel(cwd=str(HERE), env=environment, stdout=self.log, stderr=self.log)
        self.group = self.manager.provisioner.process.pid  # the kernel leads a process group
        self.client = self.manager.client()
        self.client.start_channels()
        try:
            self.client.wait_for_ready(timeout=300)
        except RuntimeError as error:
            self.__exit__()
            raise Failure(0, f"the kernel does not start: {error}", self.logged()) from None
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.client.stop_channels()
        try:
            os.killpg(self.group, signal.SIGKILL)  # the kernel and the process that runs the cells, stuck or not
        except (ProcessLookupError, PermissionError):
            pass  # both are gone already
        self.manager.shutdown_kernel(now=True)

    def logged(self):
        self.log.seek(0)
        return "".join(self.log.readlines()[-30:])

    def run(self, code, limit):
        """Runs a cell. Returns what it showed: (standard output, standard error, rich outputs, errors)."""
        streams = {"stdout": "", "stderr": ""}
        results, errors = [], []
        deadline = time.monotonic() + limit
        self.request(code, streams, results, errors, deadline)
        if errors:
            return streams["stdout"], streams["stderr"], results, errors
        # The marker shares the two pipes with the cell, so all that the cell wrote has come once both copies are here.
        mark = f"end of cell {uuid.uuid4()}"
        self.request(f'println!("{mark}"); eprintln!("{mark}");', streams, [], errors, deadline)
        while not errors and not all(mark + "\n" in text for text in streams.values()):
            self.listen(streams, [], errors, deadline)
        return *(text.replace(mark + "\n", "") for text in streams.values()), results, errors

    def request(self, code, streams, results, errors, deadline):
        identity = self.client.execute(code, allow_stdin=False)
        self.replied = self.idle = self.refused = False
        while not (self.replied and self.idle):
            self.listen(streams, results, errors, deadline, identity)
        patience = time.monotonic() + 5  # what went wrong may be said a moment after the answer that something did
        while self.refused and not errors and time.monotonic() < patience:
            self.listen(streams, results, errors, deadline)
        if self.refused and not errors:
            errors.append({"evalue": "the kernel reports an error without saying which", "traceback": []})

    def listen(self, streams, results, errors, deadline, identity=None):
        if time.monotonic() > deadline:
            raise TimeoutError
        if interrupted.is_set():
            raise KeyboardInterrupt
        try:
            message = self.client.get_iopub_msg(timeout=0.05)
            kind, content = message["header"]["msg_type"], message["content"]
            if kind == "stream":
                streams[content["name"]] += content["text"]
            elif kind in ("execute_result", "display_data"):
                results.append(content["data"])
            elif kind == "error":
                errors.append(content)
            elif kind == "status" and message["parent_header"].get("msg_id") == identity:
                self.idle = content["execution_state"] == "idle"
        except queue.Empty:
            if not self.manager.is_alive():
                raise ChildProcessError from None
        while not self.replied and self.client.shell_channel.msg_ready():
            reply = self.client.get_shell_msg(timeout=1)
            if reply["parent_header"].get("msg_id") == identity:
                self.replied = True
                self.refused = reply["content"]["status"] != "ok"


def outputs_of(kernel, number, source, limit):
    """Runs one cell and returns its outputs in normal form, or raises the Failure."""
    try:
        stdout, stderr, results, errors = kernel.run(source, limit)
    except TimeoutError:
        raise Failure(number, f"runs longer than {limit:g} s") from None
    except ChildProcessError:
        raise Failure(number, "the kernel died", kernel.logged()) from None
    plain = lambda text: re.sub(r"\x1b\[[0-9;]*m", "", text)
    if errors:
        detail = "\n".join(plain(line) for error in errors for line in error["traceback"])
        raise Failure(number, f"fails: {plain(errors[0]['evalue']).strip()}", stdout + stderr + detail)
    if panic := re.search(r"panicked at[^\n]*\n(.*?)(?:stack backtrace:|note:|\Z)", stderr, re.DOTALL):
        raise Failure(number, f"panics: {panic[1].strip()}", stderr)
    if stderr:
        raise Failure(number, f"returns an error or writes to standard error: {stderr.strip()!r}", stderr)
    if stdout and not stdout.endswith("\n"):
        raise Failure(number, f"prints a line without its end, which Jupyter loses: {stdout.splitlines()[-1]!r}")
    for data in results:
        if (shown := data.get("text/plain", "")).startswith("Err("):
            raise Failure(number, f"returns an error: {shown}")
        if shown == "()":
            raise Failure(number, "shows `()`: end the line with a semicolon")
    outputs = [nbformat.v4.new_output("stream", name="stdout", text=stdout)] if stdout else []
    for data in results:
        data = dict(sorted(data.items()))
        outputs.append(nbformat.v4.new_output("execute_result", data=data, execution_count=number))
    for place in (str(ROOT), str(pathlib.Path.home())):
        if len(place) > 1 and place in readable(outputs):
            raise Failure(number, f"shows a path of this machine: {place}")
    return outputs


def run(notebook, limit):
    """The notebook with fresh outputs, in normal form."""
    fresh = nbformat.v4.new_notebook(
        metadata={
            "kernelspec": {"display_name": "Rust", "language": "rust", "name": "rust"},
            "language_info": {
                "codemirror_mode": "rust",
                "file_extension": ".rs",
                "mimetype": "text/rust",
                "name": "Rust",
                "pygment_lexer": "rust",
                "version": "",
            },
        }
    )
    number = 0
    with Kernel() as kernel:
        for cell in notebook.cells:
            kept = {key: cell[key] for key in ("id", "cell_type", "source", "attachments") if key in cell}
            kept["metadata"] = {"tags": cell.metadata["tags"]} if cell.metadata.get("tags") else {}
            if cell.cell_type == "code":
                number += 1
                patience = limit if number > 1 else 4 * limit  # the first compiles what the others stand on
                source = cell.source
                if number == 1 and STANDS_ON_ALL.exists():  # with the cell: the kernel reads all crates once less
                    source = f':dep stands_on_all = {{ path = "{STANDS_ON_ALL}" }}\n{source}'
                kept |= {"execution_count": number, "outputs": outputs_of(kernel, number, source, patience)}
                stands.set()
            fresh.cells.append(nbformat.from_dict(kept))
    return fresh


NUMBER = re.compile(r"(#[0-9a-f]{6}\b|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)", re.IGNORECASE)


def alike(kind, old, new):
    """Whether two outputs of one MIME type say the same. Processors round differently, so the last printed digit of a
    decimal number may differ by one; in the tags of a picture a coordinate by a pixel and a colour by a few shades."""
    if kind == "image/svg+xml":
        old, new = (re.split(r"(<[^>]*>)", text) for text in (old, new))
        return len(old) == len(new) and all(close(a, b, tag=i % 2 == 1) for i, (a, b) in enumerate(zip(old, new)))
    return close(str(old), str(new), tag=False)


def close(old, new, tag):
    old, new = (NUMBER.split(text) for text in (old, new))
    if old[::2] != new[::2]:
        return False
    for a, b in zip(old[1::2], new[1::2]):
        if a == b:
            continue
        if a.startswith("#") != b.startswith("#"):
            return False
        if a.startswith("#"):
            if not tag or any(abs(x - y) > 8 for x, y in zip(bytes.fromhex(a[1:]), bytes.fromhex(b[1:]))):
                return False
        elif tag:
            if abs(float(a) - float(b)) > 1.5:
                return False
        else:
            digits, exponent = re.fullmatch(r"-?\d+(?:\.(\d+))?(?:[eE]([-+]?\d+))?", a).groups(default="")
            if not digits or abs(float(a) - float(b)) > 1.01 * 10.0 ** (int(exponent or 0) - len(digits)):
                return False
    return True


def parts(outputs):
    """The (kind, content) pairs of a cell's outputs."""
    for output in outputs:
        if output.output_type == "stream":
            yield output.name, output.text
        else:
            yield from sorted(output.get("data", {"error": output.get("evalue")}).items())


def readable(outputs):
    return "".join(f"[{kind}]\n{content}\n" for kind, content in parts(outputs))


def same(old, new, trained):
    """Whether two lists of outputs say the same. A training magnifies the last digits, in which processors differ: in a
    cell tagged `trained` a number may differ by a fifth, but no word, and of a picture the words are compared."""
    old, new = list(parts(old)), list(parts(new))
    if [kind for kind, _ in old] != [kind for kind, _ in new]:
        return False
    agree = roughly if trained else alike
    return all(agree(kind, a, b) for (kind, a), (_, b) in zip(old, new))


def roughly(kind, old, new):
    """Whether two outputs of a training have the same words, and numbers within a fifth of each other."""
    if kind == "image/svg+xml":
        old, new = (" ".join(re.sub(r"<[^>]*>", " ", text).split()) for text in (old, new))
        return old == new
    old, new = (NUMBER.split(text) for text in (old, new))
    return old[::2] == new[::2] and all(
        a == b or "#" not in a + b and abs(float(a) - float(b)) <= 0.2 * max(abs(float(a)), abs(float(b)))
        for a, b in zip(old[1::2], new[1::2])
    )


def compare(notebook, fresh, writing=False):
    """Takes over each committed output that says the same as the fresh one, so that a rerun on another machine changes
    nothing; then raises a Failure for the first that does not. When writing, what was trained is fresh."""
    failure = None
    for old, new in zip(notebook.cells, fresh.cells):
        if new.cell_type != "code":
            continue
        trained = "trained" in old.metadata.get("tags", [])
        if same(old.outputs, new.outputs, trained and not writing):
            new.outputs = [nbformat.from_dict(dict(output)) for output in old.outputs]
            for output in new.outputs:
                if "execution_count" in output:
                    output.update(execution_count=new.execution_count, metadata={})
        elif failure is None:
            texts = (readable(cell.outputs).splitlines() for cell in (old, new))
            lines = list(difflib.unified_diff(*texts, "committed", "fresh", lineterm="", n=1))
            reason = "prints something else than the committed output: run notebooks/run.py --write"
            failure = Failure(new.execution_count, reason, "\n".join(line[:160] for line in lines[:40]))
    if failure:
        raise failure


def read(path):
    try:
        notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
        nbformat.validate(notebook)
    except FileNotFoundError:
        raise Failure(0, "there is no such file") from None
    except Exception as error:
        raise Failure(0, f"is no notebook of format 4.5: {error}") from None
    if (notebook.nbformat, notebook.nbformat_minor) < (4, 5):
        raise Failure(0, "is no notebook of format 4.5")
    return notebook


def check(path, limit):
    notebook = read(path)
    fresh = run(notebook, limit)
    compare(notebook, fresh)
    if path.read_text() != nbformat.writes(fresh) + "\n":
        raise Failure(0, "is not in normal form (counts, metadata): run notebooks/run.py --write")
    return fresh


def write(path, limit):
    notebook = read(path)
    fresh = run(notebook, limit)
    try:
        compare(notebook, fresh, writing=True)
    except Failure:
        pass  # there are new outputs: that is what writing is for
    text = nbformat.writes(fresh) + "\n"
    if path.read_text() != text:
        partial = path.with_suffix(".partial")
        partial.write_text(text)
        partial.replace(path)
    return fresh


def each(paths, act, limit, jobs=1):
    """Applies `act` to every notebook, `jobs` at a time; reports each; returns whether all passed."""
    passed = sum(together(lambda path: report(path, act, limit), paths, jobs))
    print(f"notebook result: {passed} of {len(paths)} notebooks passed", flush=True)
    return passed == len(paths)


def together(act, paths, jobs):
    """What `act` gives for every path, in threads, each with a session of its own."""

    def one(path):
        try:
            return act(path)
        finally:
            stands.set()

    sessions = queue.SimpleQueue()
    for session in ["run", *(f"run{i}" for i in range(2, jobs + 1))]:
        sessions.put(session)
    with concurrent.futures.ThreadPoolExecutor(
        jobs, initializer=lambda: setattr(this_thread, "session", sessions.get())
    ) as pool:
        try:
            return list(pool.map(one, paths))
        except BaseException:
            interrupted.set()
            pool.shutdown(cancel_futures=True)
            raise


def report(path, act, limit):
    """Applies `act` to a notebook and prints what came of it; returns whether it passed."""
    name = os.path.relpath(path, HERE)
    start = time.monotonic()
    try:
        fresh = act(path, limit)
    except Failure as failure:
        cell = f"cell {failure.cell} " if failure.cell else ""
        detail = "".join(f"    {line}\n" for line in failure.detail.splitlines())
        print(f"{name}: FAILED: {cell}{failure.reason}\n{detail}", end="", flush=True)
        return False
    cells = sum(cell.cell_type == "code" for cell in fresh.cells)
    print(f"{name}: ok, {cells} cells in {time.monotonic() - start:.0f} s", flush=True)
    return True


def self_test(jobs):
    """Each notebook in tests/must_fail says in its metadata which cell must fail, and for which reason."""
    must_fail = sorted((HERE / "tests/must_fail").glob("*.ipynb"))
    rejected = sum(together(is_rejected, must_fail, jobs))
    print(f"self-test: {rejected} of {len(must_fail)} bad notebooks rejected for the right reason", flush=True)
    return rejected == len(must_fail) > 0 and each([HERE / "tests/must_pass.ipynb"], check, 120)


def is_rejected(path):
    expected = read(path).metadata["must_fail"]
    try:
        check(path, expected.get("limit", 120))
    except Failure as failure:
        right = failure.cell == expected["cell"] and failure.reason.startswith(expected["reason"])
        verdict = "rejected" if right else f"WRONG: expected cell {expected['cell']} {expected['reason']!r}, got"
        print(f"{path.stem}: {verdict}: cell {failure.cell} {failure.reason}", flush=True)
        return right
    print(f"{path.stem}: WRONG: it passed", flush=True)
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--check", action="store_true", help="run, compare with the committed outputs, change nothing")
    mode.add_argument("--write", action="store_true", help="run and save the outputs")
    mode.add_argument("--self-test", action="store_true", help="prove that --check rejects bad notebooks")
    parser.add_argument("--limit", type=float, default=600, metavar="SECONDS", help="for one cell, four times that for the first (default: 600)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="notebooks at a time (default: 2)")
    parser.add_argument("notebooks", nargs="*", type=pathlib.Path, metavar="NOTEBOOK")
    arguments = parser.parse_args()
    paths = [path.resolve() for path in arguments.notebooks] or sorted(HERE.glob("*.ipynb"), reverse=True)  # the last stand on the most
    if not arguments.self_test and not paths:
        sys.exit("run.py: there are no notebooks to run")
    jobs = max(1, arguments.jobs)
    (ROOT / "target/notebooks").mkdir(parents=True, exist_ok=True)
    with open(ROOT / "target/notebooks/lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("waiting for another run to finish", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            if arguments.self_test:
                shutil.rmtree(STANDS_ON_ALL, ignore_errors=True)
                passed = self_test(jobs)
            else:
                shutil.rmtree(STANDS_ON_ALL, ignore_errors=True)
                if len(paths) > jobs:
                    stand_on_all(paths)
                passed = each(paths, check if arguments.check else write, arguments.limit, jobs)
        except NoSuchKernel:
            sys.exit("run.py: the Rust kernel is not set up: run notebooks/setup --no-open")
        except KeyboardInterrupt:
            sys.exit("run.py: interrupted")
    sys.exit(not passed)


if __name__ == "__main__":
    main()
