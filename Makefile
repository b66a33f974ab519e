# Verbs: setup demo test test-heavy tsan asan soak latency bench growth counts format lint docs man clean
#
#   make setup       install the system libraries that are missing (apt)
#   make demo        build in release, import 34,006 cities, query them, watch a change, say where to look next, and make a store of a .realm file
#   make test        every test of every day
#   make test-heavy  all tests in release, with 2,000 kills instead of 200, 50,000 random transactions under observers, 100,000 histories of synchronisation, every fault point, and the suites under each hostile setting
#   make tsan        the suites of the libraries under the thread sanitizer
#   make asan        every suite under the address sanitizer
#   make soak        four writers, eight observed queries and frozen readers for ten minutes; SECONDS=60 for one
#   make studio-test the page of `larder studio` in a browser without a window; `make setup-studio` installs it
#   make latency     how long a commit takes to reach an observer in another process
#   make bench       Larder beside GRDB, SQLite and raw LMDB at one million objects; QUICK=1 for 100,000, SCALE=1 for ten million
#   make growth      what transactions take with twice, four and eight times the work
#   make counts      what the ten hottest calls allocate and retain, against stored limits; STORE=1 stores new ones
#   make format      rewrite the sources in the house format
#   make lint        check format, layers, sizes, house rules, doc comments, words and pictures, change nothing
#   make docs        the articles and the API reference as a website in .build/docs
#   make man         the manual page of `larder` in .build/larder.1
#   make clean       remove everything that was built

comma := ,

.PHONY: setup setup-studio demo sync-demo sync-bench test studio-test test-heavy tsan asan soak latency bench growth counts format lint docs man clean
.DEFAULT_GOAL := test

SOURCES := Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources Adopt/Package.swift Adopt/Sources Adopt/Tests \
  Server/Package.swift Server/Sources Server/Tests

setup:
	@./.ci/install-deps liblmdb-dev pkg-config zlib1g-dev libintelrdfpmath-dev libsqlite3-dev libedit-dev libssl-dev
	@./.ci/install-deps libpq-dev postgresql

setup-studio: setup
	@./.ci/install-deps chromium

demo: setup
	@./.ci/demo

sync-demo: setup
	@./.ci/sync-demo

test: setup
	@./.ci/server-of-tests
	.ci/swift build --build-tests
	.ci/test

test-heavy: setup
	LARDER_KILLS=2000 LARDER_TRANSACTIONS=50000 LARDER_PREDICATES=100000 LARDER_DAMAGES=5000 LARDER_REALM_DAMAGES=20000 LARDER_FAULTS=100 LARDER_CRAFTED=3000 LARDER_SYNC_HISTORIES=100000 .ci/swift test -c release -Xswiftc -enable-testing
	@./.ci/hostile --all

tsan: setup
	@./.ci/tsan

asan: setup
	@./.ci/asan $(ARGS)

studio-test: setup
	@./.ci/studio $(ARGS)

soak: setup
	.ci/swift run -c release SoakWorker $(if $(SECONDS),$(SECONDS),600)

latency: setup
	.ci/swift run -c release CommitLatency $(COMMITS)

bench: setup
	@./.ci/install-deps libsqlite3-dev
	@./.ci/bench $(if $(QUICK),--quick) $(if $(SCALE),--n 10000000 --rounds 1 --peers larder$(comma)sqlite --memory) $(ARGS)

sync-bench: setup
	@./.ci/sync-bench

growth: setup
	@./.ci/install-deps libsqlite3-dev
	.ci/swift run -c release --package-path Benchmarks larder-growth $(SMALLEST)

counts: setup
	.ci/swift run -c release OperationCounts Benchmarks/operation-counts.json $(if $(STORE),--store)

format:
	swift format --in-place --parallel --recursive $(SOURCES)

lint:
	swift format lint --strict --parallel --recursive $(SOURCES)
	@python3 -m unittest discover -q -s .ci/house/tests -t .ci
	@python3 .ci/house

docs: setup
	@./.ci/docs

man: setup
	@.ci/swift run -q larder man > .build/larder.1 && echo .build/larder.1

clean:
	rm -rf .build Benchmarks/.build Adopt/.build Server/.build
