#!/usr/bin/env python3
"""Times raglens on made-up runs, beside `wc -l` and the tools that are installed.

    cargo build --release
    python3 benches/speed.py                   # all sections, in about a quarter of an hour
    python3 benches/speed.py main formats      # some of them
    python3 benches/speed.py --quick           # a tenth of the data, in two minutes
    python3 benches/speed.py growth --large    # up to 70 million lines (3 GB of disk)

Every figure is of a whole process, from its start to its end: the median of the wall clock
and of the processor time (user and system). The commands of one table take turns, so that a
busy moment of the machine meets all of them. Ratios are to `wc -l` of the same TREC file in
the same turns. The largest resident memory is that of one more turn below GNU time, where it
is installed.

A peer is timed where it is found: trec_eval on the PATH (or in $TREC_EVAL), pytrec_eval,
ir_measures and ranx as modules of the Python that runs this script (or of $PEERS_PYTHON).
The data come from a fixed seed and stay in the folder given by --data.
"""

import argparse
import gzip
import multiprocessing
import os
import platform
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RAGLENS = os.environ.get("RAGLENS", str(ROOT / "target/release/raglens"))
PYTHON = os.environ.get("PEERS_PYTHON", sys.executable)
MEASURES = ["-m", "ndcg@10,recall@100,mrr,map"]
CORPUS = 8_841_823
ROUNDS = 5
# A command that has taken so many seconds gets no further turn.
PATIENCE = 20
# A process counts from the memory of the one that starts it: 17 MiB for this script, 1 MiB for this.
GNU_TIME = shutil.which("time")


# --- data ------------------------------------------------------------------------------------

def apart(work, *arguments):
    """Works in a process of its own, which gives back all of its memory."""
    worker = multiprocessing.get_context("fork").Process(target=work, args=arguments)
    worker.start()
    worker.join()
    if worker.exitcode != 0:
        sys.exit("the data could not be made")


class Data:
    """A run and its labels in files, made once."""

    def __init__(self, folder, name, queries, depth, judged=1, tied=False, shuffled=False, seed=7):
        self.folder, self.name, self.seed = folder, name, seed
        self.queries, self.depth, self.judged = queries, depth, judged
        self.tied, self.shuffled = tied, shuffled
        self.run, self.qrels = folder / f"{name}.trec", folder / f"{name}.qrels"
        if not self.run.exists():
            apart(self.make)

    @property
    def lines(self):
        return self.queries * self.depth

    @property
    def millions(self):
        return f"{self.lines / 1e6:g} million"

    def make(self):
        rng = random.Random(self.seed)
        shuffled = []
        partial = self.run.with_suffix(".partial")
        with open(partial, "w") as run, open(self.qrels, "w") as qrels:
            for index in range(self.queries):
                query = 1_000_000 + 7 * index
                documents = rng.sample(range(CORPUS), self.depth)
                qrels.writelines(self.labels(rng, query, documents))
                rows = self.rows(rng, query, documents)
                if self.shuffled:
                    shuffled.extend(rows)
                else:
                    run.writelines(rows)
            rng.shuffle(shuffled)
            run.writelines(shuffled)
        partial.rename(self.run)

    def labels(self, rng, query, documents):
        if self.judged == 1:
            place = rng.choice([0, 1, 2, 5, 9, 20, 60, 200, None])
            found = place is not None and place < self.depth
            document = documents[place] if found else rng.randrange(CORPUS)
            return [f"{query} 0 {document} 1\n"]
        count = min(self.judged, self.depth)
        return [f"{query} 0 {document} {rng.choice([0, 0, 0, 1, 2])}\n" for document in rng.sample(documents, count)]

    def rows(self, rng, query, documents):
        score = 20 + 10 * rng.random()
        for rank, document in enumerate(documents, 1):
            score -= 0.02 * rng.random()
            shown = f"{score:.1f}" if self.tied else f"{score:.6f}"
            yield f"{query} Q0 {document} {rank} {shown} made\n"

    def triples(self):
        with open(self.run) as run:
            for line in run:
                query, _, document, _, score, _ = line.split()
                yield query, document, score

    def derived(self, suffix, write):
        """Another file of the same content."""
        path = self.folder / f"{self.name}{suffix}"
        if not path.exists():
            partial = self.folder / f"{self.name}.partial"
            apart(write, self, partial)
            partial.rename(path)
        return path


def write_gzip(data, path):
    with open(data.run, "rb") as source, gzip.open(path, "wb", 6) as packed:
        shutil.copyfileobj(source, packed, 1 << 20)


def write_jsonl_rows(data, path):
    with open(path, "w") as out:
        for query, document, score in data.triples():
            out.write(f'{{"query_id":"{query}","doc_id":"{document}","score":{score}}}\n')


def by_query(data):
    current, results = None, []
    for query, document, score in data.triples():
        if query != current and current is not None:
            yield current, results
            results = []
        current = query
        results.append((document, score))
    yield current, results


def write_jsonl_lists(data, path):
    with open(path, "w") as out:
        for query, results in by_query(data):
            listed = ",".join(f'{{"id":"{document}","score":{score}}}' for document, score in results)
            out.write(f'{{"query_id":"{query}","results":[{listed}]}}\n')


def write_dict(data, path):
    with open(path, "w") as out:
        out.write("{")
        for index, (query, results) in enumerate(by_query(data)):
            scores = ",".join(f'"{document}":{score}' for document, score in results)
            out.write(f'{"," if index else ""}"{query}":{{{scores}}}')
        out.write("}\n")


def write_csv(data, path):
    with open(path, "w") as out:
        out.write("query_id,doc_id,score\n")
        for query, document, score in data.triples():
            out.write(f"{query},{document},{score}\n")


# --- timing ----------------------------------------------------------------------------------

class Command:
    """A command line with what its turns took."""

    def __init__(self, name, arguments, stdin=None):
        self.name, self.arguments, self.stdin = name, [str(argument) for argument in arguments], stdin
        self.wall, self.cpu = [], []

    def turn(self):
        start = time.perf_counter()
        usage = self.run(self.arguments)
        self.wall.append(time.perf_counter() - start)
        self.cpu.append(usage.ru_utime + usage.ru_stime)

    def peak(self):
        """The largest resident memory in MiB; `None` without GNU time."""
        if not GNU_TIME:
            return None
        with tempfile.NamedTemporaryFile("r") as said:
            self.run([GNU_TIME, "--format=%M", f"--output={said.name}", *self.arguments])
            return int(said.read()) / 1024

    def run(self, arguments):
        stdin = open(self.stdin, "rb") if self.stdin else subprocess.DEVNULL
        child = subprocess.Popen(arguments, stdin=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        said = child.stderr.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if self.stdin:
            stdin.close()
        if child.returncode != 0:
            sys.exit(f"{' '.join(arguments)} ended with {child.returncode}: {said.decode()[:500]}")
        return usage


def turns(commands, rounds=ROUNDS):
    """Lets the commands take turns; what takes long gets fewer of them."""
    for _ in range(rounds):
        for command in commands:
            if sum(command.wall) < PATIENCE:
                command.turn()


def table(title, commands, yardstick, lines=None, text=None, rounds=ROUNDS):
    """Prints a row a command, with its ratios to the named one; on demand with the time of one of
    its lines, or with its memory beside the size of the unpacked text in bytes."""
    turns(commands, rounds)
    wall, cpu = statistics.median(yardstick.wall), statistics.median(yardstick.cpu)
    more = [" ns a line |"] * bool(lines) + [" memory : text |"] * bool(text)
    print(f"\n### {title}\n")
    print(f"| | CPU | wall | CPU : `{yardstick.name}` | wall : `{yardstick.name}` | memory |{''.join(more)}")
    print(f"|---|--:|--:|--:|--:|--:|{'--:|' * len(more)}")
    for command in commands:
        own_wall, own_cpu, memory = statistics.median(command.wall), statistics.median(command.cpu), command.peak()
        each = [f" {1e9 * own_cpu / lines[command.name]:.0f} |"] if lines else []
        share = [f" {memory * 2**20 / text:.2f} |" if memory else " |"] if text else []
        held = f"{memory:.0f} MiB" if memory else ""
        print(f"| {command.name} | {shown(own_cpu)} | {shown(own_wall)} | {own_cpu / cpu:.2f} | {own_wall / wall:.2f} "
              f"| {held} |{''.join(each + share)}", flush=True)


def shown(seconds):
    return f"{seconds:.3f} s" if seconds >= 0.01 else f"{1000 * seconds:.1f} ms"


def wc(path):
    return Command("wc -l", ["wc", "-l", path])


def raglens(name, labels, *runs, threads=None, measures=MEASURES, stdin=None, extra=()):
    given = ["--threads", threads] if threads else []
    return Command(name, [RAGLENS, "eval", labels, *runs, *measures, *given, *extra], stdin)


# --- peers -----------------------------------------------------------------------------------

PYTREC_EVAL = """
import sys, pytrec_eval
with open(sys.argv[1]) as f: qrels = pytrec_eval.parse_qrel(f)
with open(sys.argv[2]) as f: run = pytrec_eval.parse_run(f)
measures = {'ndcg_cut.10', 'recall.100', 'recip_rank', 'map'}
values = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run).values()
for name in ('ndcg_cut_10', 'recall_100', 'recip_rank', 'map'):
    print(name, sum(value[name] for value in values) / len(values))
"""
IR_MEASURES = """
import sys, ir_measures
from ir_measures import nDCG, R, RR, AP
qrels, run = ir_measures.read_trec_qrels(sys.argv[1]), ir_measures.read_trec_run(sys.argv[2])
print(ir_measures.calc_aggregate([nDCG@10, R@100, RR, AP], qrels, run))
"""
RANX = """
import sys
from ranx import Qrels, Run, evaluate
qrels, run = Qrels.from_file(sys.argv[1], kind='trec'), Run.from_file(sys.argv[2], kind='trec')
print(evaluate(qrels, run, ['ndcg@10', 'recall@100', 'mrr', 'map'], make_comparable=True))
"""


def has_module(name):
    found = subprocess.run([PYTHON, "-c", f"import {name}"], capture_output=True)
    return found.returncode == 0


def peers(data):
    """A command for each peer that is installed; says which are not."""
    found = []
    trec_eval = os.environ.get("TREC_EVAL") or shutil.which("trec_eval")
    if trec_eval:
        wanted = ["-m", "ndcg_cut.10", "-m", "recall.100", "-m", "recip_rank", "-m", "map"]
        found.append(Command("trec_eval", [trec_eval, *wanted, data.qrels, data.run]))
    modules = [("pytrec_eval", PYTREC_EVAL), ("ir_measures", IR_MEASURES), ("ranx", RANX)]
    for name, program in modules:
        if has_module(name):
            found.append(Command(name, [PYTHON, "-c", program, data.qrels, data.run]))
    names = {command.name for command in found}
    missing = [name for name in ["trec_eval", *(name for name, _ in modules)] if name not in names]
    if missing:
        print(f"\nnot installed and left out: {', '.join(missing)}")
    return found


# --- sections --------------------------------------------------------------------------------

def main_run(make):
    """The run of the targets: 6,980 queries of 1,000 documents, one judged document each."""
    data = make("main", 6980, 1000)
    size = data.run.stat().st_size / 1e6
    yardstick = wc(data.run)
    commands = [yardstick, Command("cat", ["cat", data.run]), raglens("raglens, one thread", data.qrels, data.run, threads=1),
                raglens("raglens", data.qrels, data.run), *peers(data)]
    table(f"{data.lines:,} lines, {size:.0f} MB, {data.queries:,} queries", commands, yardstick)


def shapes(make):
    """Other shapes, against the peers: many judged documents, few queries, chunks."""
    for name, queries, depth, judged in [("dense", 200, 10_000, 2000), ("track", 50, 1000, 500), ("chunks", 1000, 50, 20)]:
        data = make(name, queries, depth, judged)
        own = raglens("raglens, one thread", data.qrels, data.run, threads=1)
        title = f"{data.queries:,} queries of {data.depth:,} documents, {min(judged, data.depth):,} judged each"
        table(title, [own, raglens("raglens", data.qrels, data.run), *peers(data)], own)


def growth(make, large):
    """How the cost grows with the lines, at 1,000 a query and at a constant number of lines."""
    steps = [7, 70, 700, 7000] + ([70_000] if large else [])
    series = [make(f"grow{queries}", queries, 1000) for queries in steps]
    rows(series, "lines", lambda data: f"{data.lines:,} lines")
    split = [make(f"split{queries}", queries, depth) for queries, depth in [(100, 20_000), (1000, 2000), (20_000, 100), (100_000, 20)]]
    rows(split, f"{split[0].millions} lines", lambda data: f"{data.queries:,} × {data.depth:,}")
    wide = [make(f"wide{queries}", queries, depth) for queries, depth in [(1000, 10_000), (100_000, 100)]]
    rows(wide, f"{wide[0].millions} lines", lambda data: f"{data.queries:,} × {data.depth:,}")


def rows(series, title, name):
    commands = [raglens(name(data), data.qrels, data.run, threads=1) for data in series]
    lines = {name(data): data.lines for data in series}
    yardstick = commands[0]
    table(f"How the cost grows: {title}, one thread", commands, yardstick, lines)


def kinds(make):
    """The same lines grouped, shuffled, with ties, packed and through a pipe."""
    data, shuffled, tied = make("kinds", 2000, 1000), make("shuffled", 2000, 1000, shuffled=True), make("tied", 2000, 1000, tied=True)
    packed = data.derived(".trec.gz", write_gzip)
    yardstick = wc(data.run)
    one = {"threads": 1}
    commands = [yardstick, raglens("grouped", data.qrels, data.run, **one), raglens("many ties", tied.qrels, tied.run, **one),
                raglens("shuffled", shuffled.qrels, shuffled.run, **one), raglens("piped", data.qrels, "-", stdin=data.run, **one),
                Command("gzip -dc alone", ["gzip", "-dc", packed]), raglens("gzip", data.qrels, packed, **one)]
    table(f"{data.millions} lines: grouped, shuffled, tied, piped, packed; one thread", commands, yardstick,
          text=data.run.stat().st_size)


def formats(make):
    """The same content in other layouts."""
    data = make("kinds", 2000, 1000)
    layouts = [("JSONL rows", ".rows.jsonl", write_jsonl_rows), ("JSONL lists", ".lists.jsonl", write_jsonl_lists),
               ("JSON dict of dict", ".dict.json", write_dict), ("CSV", ".csv", write_csv)]
    trec = raglens("TREC", data.qrels, data.run, threads=1)
    others = [raglens(name, data.qrels, data.derived(suffix, write), threads=1) for name, suffix, write in layouts]
    table(f"{data.millions} results in five layouts, one thread", [trec, *others], trec)


def measures(make):
    """Four measures, all of them, every query's values, several runs."""
    data = make("kinds", 2000, 1000)
    four = raglens("four measures", data.qrels, data.run, threads=1)
    everything = raglens("all measures, every query", data.qrels, data.run, threads=1, measures=["-m", "all"], extra=["-q"])
    text = raglens("all measures, every query, CSV", data.qrels, data.run, threads=1, measures=["-m", "all"],
                   extra=["-q", "--format", "csv"])
    copies = [data.derived(f".copy{number}.trec", lambda data, path: shutil.copy(data.run, path)) for number in (1, 2, 3)]
    several = raglens("four runs, four measures", data.qrels, data.run, *copies)
    table(f"{data.millions} lines: more measures, more runs", [four, everything, text, several], four)


def small(make):
    """Small files from start to end."""
    data, other = make("small", 20, 50), make("small-other", 20, 50, seed=8)
    own = raglens("raglens", data.qrels, data.run)
    compare = Command("raglens compare", [RAGLENS, "compare", data.run, other.run, "--qrels", data.qrels, *MEASURES])
    commands = [own, compare, Command("raglens --help", [RAGLENS, "--help"]), Command("true", ["true"]), *peers(data)]
    table("Small files", commands, own, rounds=25)


def labels(make):
    """Ten million judgments, few and many a query."""
    data = make("labels", 10_000, 1, judged=1)
    for queries, judged in [(make.count(10_000), 1000), (make.count(5_000_000), 2)]:
        path = data.derived(f".{queries}x{judged}.qrels", lambda data, path: write_labels(path, queries, judged))
        yardstick = wc(path)
        table(f"{queries * judged:,} judgments: {queries:,} queries × {judged:,}",
              [yardstick, raglens("raglens", path, data.run)], yardstick, text=path.stat().st_size, rounds=3)


def write_labels(path, queries, judged):
    rng = random.Random(11)
    with open(path, "w") as out:
        for index in range(queries):
            query = 1_000_000 + 7 * index
            out.writelines(f"{query} 0 {document} 1\n" for document in rng.sample(range(CORPUS), judged))


def report(make):
    """The comparison of three runs, as text and as a page of HTML."""
    runs = [make(f"report{number}", 7000, 100, seed=number) for number in (1, 2, 3)]
    compare = [RAGLENS, "compare", *(data.run for data in runs), "--qrels", runs[0].qrels, "-m", "ndcg@10,recall@100,mrr"]
    text = Command("text", compare)
    page = runs[0].folder / "report.html"
    html = Command("HTML", [*compare, "--report", f"html={page}"])
    known = subprocess.run([RAGLENS, "compare", "--help"], capture_output=True, text=True, check=True).stdout
    if "--report" not in known:
        print(f"\nleft out: an HTML report, for {RAGLENS} has no `compare --report`")
        html = None
    table(f"The comparison of 3 runs of {runs[0].queries:,} queries", [text, html] if html else [text], text)
    if html:
        print(f"\nthe page has {page.stat().st_size / 1e6:.2f} MB")


class Maker:
    """Makes data in a folder; a tenth of the queries where it must be quick."""

    def __init__(self, folder, quick):
        self.folder, self.quick = folder, quick

    def count(self, queries):
        return max(queries // 10, 7) if self.quick else queries

    def __call__(self, name, queries, depth, judged=1, **kind):
        return Data(self.folder, name + ("-quick" if self.quick else ""), self.count(queries), depth, judged, **kind)


def machine():
    cpu = platform.processor() or "unknown processor"
    try:
        with open("/proc/cpuinfo") as info:
            cpu = next(line.split(":", 1)[1].strip() for line in info if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    version = subprocess.run([RAGLENS, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    print(f"{version}; {os.cpu_count()} × {cpu}, {platform.system()} {platform.release()}, "
          f"Python {platform.python_version()}; medians of {ROUNDS} turns")
    if not GNU_TIME:
        print("GNU time is not installed: memory is left out")


def main():
    sections = {"main": main_run, "shapes": shapes, "growth": growth, "kinds": kinds, "formats": formats,
                "measures": measures, "labels": labels, "report": report, "small": small}
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"of {', '.join(sections)} (all of them)")
    parser.add_argument("--data", type=Path, default=Path(tempfile.gettempdir()) / "raglens-speed", help="where the data are kept")
    parser.add_argument("--quick", action="store_true", help="a tenth of the queries")
    parser.add_argument("--large", action="store_true", help="growth up to 70 million lines")
    given = parser.parse_args()
    unknown = [name for name in given.sections if name not in sections]
    if unknown:
        parser.error(f"no section {', '.join(unknown)}: there are {', '.join(sections)}")
    if not Path(RAGLENS).exists():
        sys.exit(f"{RAGLENS} is missing: cargo build --release")
    given.data.mkdir(parents=True, exist_ok=True)
    make = Maker(given.data, given.quick)
    machine()
    for name in given.sections or sections:
        if name == "growth":
            growth(make, given.large)
        else:
            sections[name](make)


if __name__ == "__main__":
    main()
