# Two commands do all the set-up on a machine with Go and git:
#   make demo    build, and run the main job on the simulated model
#   make test    run every test
# Everything that tests need comes through Go modules.

GO       ?= go
VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
COUNT    ?= 10
FUZZTIME ?= 10s
KILLS    ?= 67
POINTS   ?= 1000000
PLATFORMS = linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64

# The version comes from here, not from a stamp: stamping fails in a checkout of another user.
export GOFLAGS     := $(filter-out -buildvcs=%,$(GOFLAGS)) -buildvcs=false
export CGO_ENABLED := 0

LDFLAGS = -ldflags "-s -w -X main.version=$(VERSION)"

.PHONY: build install demo test race lint check bench bench-memory fuzz crash crashtest dist clean

# Built as the tests are, so that one serves the other from the cache.
build:
	$(GO) build $(LDFLAGS) -o bin/ ./cmd/longrein

install:
	$(GO) install -trimpath $(LDFLAGS) ./cmd/longrein

demo: build
	bin/longrein demo

test:
	$(GO) test ./...

# The race detector needs cgo and a C compiler. -short leaves out what `make test` has shown
# and what is slow without telling the detector more.
race:
	CGO_ENABLED=1 $(GO) test -race -short -shuffle=on ./...

lint:
	@out=$$($(GO) tool gofumpt -l .); if [ -n "$$out" ]; then \
		echo "not formatted (run: go tool gofumpt -l -w .):"; echo "$$out"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

# What CI runs. The house tests (layers, comments, docs) are among the tests.
check: lint test race

# BASE=old.txt compares with an earlier dist/bench.txt.
bench:
	@mkdir -p dist
	$(GO) test -run '^$$' -bench . -benchmem -count $(COUNT) ./... > dist/bench.txt || { cat dist/bench.txt; exit 1; }
	$(GO) tool benchstat $(BASE) dist/bench.txt

# The long tasks with memory beside the work, as tables for docs/benchmarks.md.
bench-memory:
	$(GO) test ./bench -run 'Memory|Forgetful' -count=1 -timeout 60m -v -memory

# go test takes one fuzz target at a time.
fuzz:
	@for pkg in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
			echo "$$pkg $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) $$pkg || exit 1; \
		done; \
	done

# The long SIGKILL test: KILLS random moments on each of the three wires.
crash:
	$(GO) test ./e2e -run Crash -count=1 -timeout 60m -kills=$(KILLS)

# POINTS crash points of random lives on a simulated disk; docs/durability.md says what must hold.
crashtest:
	$(GO) test ./crashtest -run NothingIsLost -count=1 -timeout 120m -v -points $(POINTS)

# One archive a platform, and their checksums.
dist:
	@rm -rf dist && mkdir -p dist
	@set -e; for p in $(PLATFORMS); do \
		os=$${p%/*}; arch=$${p#*/}; name=longrein_$(VERSION)_$${os}_$$arch; \
		echo "$$name"; mkdir dist/$$name; \
		GOOS=$$os GOARCH=$$arch $(GO) build -trimpath $(LDFLAGS) -o dist/$$name/ ./cmd/longrein; \
		cp LICENSE README.md dist/$$name/; \
		tar -C dist -czf dist/$$name.tar.gz $$name; rm -r dist/$$name; \
	done
	cd dist && sha256sum *.tar.gz > SHA256SUMS

clean:
	rm -rf bin dist
