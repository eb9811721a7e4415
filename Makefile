# Tabwright. `make run` and `make test` work on a fresh machine with Go and Node.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# The version of a release; without one, extension/build makes one of the commit.
VERSION ?=
# OWNER/NAME on GitHub, where releases are published: set it here, once. The addresses in
# packages and manifests come from it, and the name in the MCP registry.
export REPOSITORY ?= OWNER/tabwright
# Tools of the build are pinned here and built into .cache, never from PATH.
GOLANGCI_VERSION := v2.15.0
GOLANGCI := .cache/bin/golangci-lint-$(GOLANGCI_VERSION)
GORELEASER_VERSION := v2.16.0
GORELEASER := .cache/bin/goreleaser-$(GORELEASER_VERSION)

# A version for what is built and not published: the next one's, and which commit.
SNAPSHOT = $(shell sed -n 's/^  "version": "\(.*\)",/\1/p' extension/manifest.json)-snapshot.$(shell git rev-list --count HEAD 2>/dev/null || echo 0)
COMMA := ,
PLATFORM ?= $(shell go env GOOS)/$(shell go env GOARCH)

ANSWER ?=
FUZZTIME ?= 30s
BENCHTIME ?= 1s
ROUNDS ?= 15
PKG ?= ./...
RUN ?=

NODE_STAMP := extension/node_modules/.package-lock.json

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

.PHONY: build
build: extension ## build bin/tabwright with the extension inside
	@mkdir -p bin
	go build -trimpath -ldflags "-s -w" -o bin/tabwright ./host

.PHONY: extension
extension: $(NODE_STAMP)
	@go run ./extension/build $(if $(VERSION),-version '$(VERSION)')

# npm writes this file last; it is older than the lock when that changed.
$(NODE_STAMP): extension/package-lock.json
	cd extension && npm ci --no-audit --no-fund
	@touch $@

.PHONY: run
run: setup build ## open a Chromium with Tabwright in it, ready to chat
	TABWRIGHT_BINARY=$(CURDIR)/bin/tabwright go run ./e2e/tour

.PHONY: demo
demo: setup build ## the tour in the terminal; ANSWER=allow or ANSWER=deny for scripts
	TABWRIGHT_BINARY=$(CURDIR)/bin/tabwright go run ./e2e/tour -headless $(if $(ANSWER),-answer $(ANSWER))

.PHONY: setup
setup: ## install what is missing to run: a Chromium, npm packages
	@./.ci/setup

.PHONY: setup-all
setup-all: # and what only the tests need
	@./.ci/setup all

# The race detector watches what runs at the same time in one process: the host.
# Beside it run all others without it; most of what it would watch there is
# another process. So do the tests of an action that put dozens of widgets, pages, clicks or
# pictures through the same code: the others take the same ways while it watches,
# and it makes decoding a picture ten times as long. In each half one package after
# another (-p 1): more Chromiums at once than cores make tests wait for each other
# rather than for the code.
# Compiling first uses all cores. Up to twelve tests that
# failed are run once more by themselves, and named as flaky if they pass then; not
# so those of what may not happen even once (HELD): a click on another element, a
# deed that nobody allowed, a secret that gets out, memory that grows. (Tests that kill
# processes get one: what they start is at times slow to come up.)
RACED := ./host/...
MANY := ^Test(RealHard.*|Attack(Turncoats|Frames|Disguises|Labels|Keys)|Canaries|FlowTheft|Injection|Memory|PipelineShifts|RealMarks|RealPicture.*|Siege(Addresses|AfterAllowed|Dialogs|Secrets)|ThousandClicks)$$
HELD := ^Test(ThousandClicks.*|RealSwap|Ground|Attack.*|Siege.*|Adversary.*|Canaries|FlowTheft|Injection|Secrets?Never.*|RealPictureHidesSecrets|Memory)$$
TESTSUM := go run ./e2e/testsum -again 12 '-held=$(HELD)' go test -vet=off -json # make lint vets
ONEBYONE := -race -p 1
OTHERS = $$(go list ./... | grep -vxF "$$(go list $(RACED))")
HALVES = '-skip=$(MANY)' ./host/action -then -race=false '-run=$(MANY)' ./host/action -then $$(go list $(RACED) | grep -v /host/action$$) \
  -- -race=false $(OTHERS)

.PHONY: test
test: setup-all extension ## all tests, most of the host's with the race detector, in a real Chromium
ifeq ($(PKG),./...)
	@go test -vet=off -race -run '^$$' -exec true $(RACED) >/dev/null 2>&1 || true # compiles and links, runs nothing
	@go test -vet=off -run '^$$' -exec true $(OTHERS) ./host/action >/dev/null 2>&1 || true
endif
	@$(TESTSUM) $(ONEBYONE) -timeout 35m $(if $(RUN),-run '$(RUN)') -- \
	  $(if $(filter ./...,$(PKG)),$(if $(RUN),$(RACED) -- -race=false $(OTHERS),$(HALVES)),$(PKG))

.PHONY: test-all
test-all: setup-all extension ## the same with nothing left out: the race detector everywhere, no test halved, all clicks, lists and kills of actions
	@TABWRIGHT_ALL=1 TABWRIGHT_TEST_LONG=1 $(TESTSUM) $(ONEBYONE) -timeout 150m $(if $(RUN),-run '$(RUN)') -- $(PKG)

.PHONY: test-short
test-short: $(NODE_STAMP) ## the tests that need no browser
	@$(TESTSUM) -short $(if $(RUN),-run '$(RUN)') -- $(PKG)

.PHONY: lint
lint: generate-check lint-only ## linters, formatting, import rules, types, generated files

.PHONY: lint-only
lint-only: $(GOLANGCI) $(NODE_STAMP) # what changes no file, so that it can run beside the tests
	go vet ./...
	$(GOLANGCI) run ./...
	$(GOLANGCI) fmt --diff ./...
	cd extension && npx --no-install tsc --noEmit

.PHONY: fmt
fmt: $(GOLANGCI) ## format the Go code
	$(GOLANGCI) fmt ./...

$(GOLANGCI):
	@mkdir -p $(@D)
	@echo "building golangci-lint $(GOLANGCI_VERSION), once"
	@GOBIN=$(CURDIR)/$(@D) GOFLAGS= go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	@mv $(@D)/golangci-lint $@

.PHONY: generate
generate: ## write the generated files anew (TypeScript wire types)
	go generate ./...

# Compares the working tree before and after, so that it also works on one
# with changes that are not committed.
.PHONY: generate-check
generate-check:
	@state() { git status --porcelain; git diff; }; \
	before=$$(state | cksum); go generate ./...; \
	if [ "$$before" != "$$(state | cksum)" ]; then \
	  git status --short; echo "generated files were not current; make generate, and commit them" >&2; exit 1; fi

# Everything that a release consists of, into dist; nothing is published. With
# SINGLE=1 only for PLATFORM (this machine's, unless told), and without the
# manifests of package managers of others.
.PHONY: release-snapshot
release-snapshot: $(GORELEASER) $(NODE_STAMP) ## archives, packages, checksums and manifests of every platform, into dist; SINGLE=1 only of this one
	@mkdir -p dist && sed -E '$(if $(SINGLE),s/^( *goos: )\[.*/\1[$(word 1,$(subst /, ,$(PLATFORM)))]/; s/^( *goarch: )\[.*/\1[$(word 2,$(subst /, ,$(PLATFORM)))]/)' .goreleaser.yaml >dist/goreleaser.yaml
	VERSION='$(or $(VERSION),$(SNAPSHOT))' $(GORELEASER) release --snapshot --clean --config dist/goreleaser.yaml \
	  --skip=sign,publish$(if $(SINGLE),$(COMMA)homebrew$(COMMA)scoop$(COMMA)winget)
	go run ./install/release npm
	go run ./install/release store

# The tag of a release stands on a commit of its own, beside the branch, which holds
# the extension's archive: `go install` of that version needs no npm.
.PHONY: release-tag
release-tag: $(NODE_STAMP) ## a commit with the extension built in it, and its tag: VERSION=v1.2.3
	@[[ '$(VERSION)' =~ ^v[0-9]+\.[0-9]+\.[0-9]+ ]] || { echo "VERSION=v1.2.3 is missing" >&2; exit 1; }
	@[ -z "$$(git status --porcelain)" ] || { echo "commit first" >&2; exit 1; }
	go run ./extension/build -version '$(VERSION)'
	@export GIT_INDEX_FILE=$$(mktemp -u); trap 'rm -f "$$GIT_INDEX_FILE"' EXIT; \
	git read-tree HEAD; git add -f extension/archive/extension.zip; \
	git tag -a -m 'tabwright $(VERSION)' '$(VERSION)' "$$(git commit-tree -p HEAD -m 'release: $(VERSION)' "$$(git write-tree)")"
	@echo "push it with: git push origin $(VERSION)"

.PHONY: release
release: $(GORELEASER) $(NODE_STAMP) # what .github/workflows/release.yml runs on a tag
	$(GORELEASER) release --clean $(if $(GPG_FINGERPRINT),,--skip=sign)
	go run ./install/release npm
	go run ./install/release store
	$(if $(TABWRIGHT_FEED_KEY),go run ./install/release feed -base 'https://github.com/$(REPOSITORY)/releases/download/$(VERSION)' -notes 'https://github.com/$(REPOSITORY)/releases/tag/$(VERSION)')

$(GORELEASER):
	@mkdir -p $(@D)
	@echo "building goreleaser $(GORELEASER_VERSION), once; this takes minutes"
	@GOBIN=$(CURDIR)/$(@D) GOFLAGS= go install github.com/goreleaser/goreleaser/v2@$(GORELEASER_VERSION)
	@mv $(@D)/goreleaser $@

.PHONY: store
store: extension ## the zip for the Chrome Web Store, into dist/store
	go run ./install/release store

.PHONY: store-shots
store-shots: setup extension ## pictures for the Chrome Web Store, 1280 x 800, into dist/store
	go run ./e2e/panelshots -store -out dist/store

.PHONY: test-release
test-release: setup extension ## the packages, `go install` under a public path, npx from a local registry, and from there to the first answer
	@./.ci/setup release
	TABWRIGHT_RELEASE=1 nice go test ./install/release -count=1 -v -timeout 60m

.PHONY: bench
bench: setup-all extension ## benchmarks, in a real Chromium too
	go test -run '^$$' -bench . -benchtime $(BENCHTIME) -benchmem -p 1 -timeout 30m $(PKG)

.PHONY: bench-peers
bench-peers: setup extension ## Tabwright's MCP server timed beside Playwright MCP and agent-browser
	go run ./e2e/bench -n $(ROUNDS)

.PHONY: bench-pages
bench-pages: setup extension ## what the text of a look tells of pages that others made, from npm packages; MATCH= only some, JSON= a file for every miss
	go run ./e2e/bench -only public -n 5 $(if $(MATCH),-match '$(MATCH)') $(if $(JSON),-json '$(JSON)')

.PHONY: zoo
zoo: setup-all extension ## what can be done with the widgets of common libraries, from npm (1.2 GB), and docs/widgets.md from it
	TABWRIGHT_ALL=1 go test ./e2e/zoo -run 'TestZoo$$' -count=1 -v -timeout 30m -args -write

.PHONY: panel-shots
panel-shots: setup $(NODE_STAMP) ## pictures of every screen of the panel, into e2e/out/panel
	go run ./e2e/panelshots -out e2e/out/panel

.PHONY: clicks
clicks: setup-all extension ## 1,000 clicks on pages that change under them: directly, through a relay, and through the real extension
	TABWRIGHT_THOUSAND=1 go test ./host/action -run '^TestThousandClicks' -count=1 -v -timeout 30m

.PHONY: memory
memory: setup-all extension ## 500 navigations and 5,000 lists in one tab: neither the page nor the host may grow
	go test ./host/action -run '^TestMemory$$' -memory -count=1 -v -timeout 30m

.PHONY: test-windows
test-windows: extension ## the Windows build under Wine (Debian's, in a prefix of its own): install, registry, shim, pipe, doctor, uninstall
	@./.ci/setup windows || true
	@if command -v wine >/dev/null 2>&1; then TABWRIGHT_WINE=1 go test ./e2e/wine -count=1 -v -timeout 30m; \
	else echo; echo "SKIPPED: there is no Wine here and none could be installed. NOTHING OF WINDOWS WAS TRIED."; echo; fi

KILLS ?= 200

.PHONY: kills
kills: setup-all extension ## kill the broker 200 times (KILLS) under tasks that submit, half as often under workflows
	TABWRIGHT_KILLS=$(KILLS) go test ./e2e -run 'TestKills$$' -count=1 -v -timeout 60m
	TABWRIGHT_KILLS=$$(( $(KILLS) / 2 )) go test ./e2e -run 'TestWorkflowKills$$' -count=1 -v -timeout 60m

.PHONY: models
models: ## small real models, Ollama and llama-cpp-python into .cache (2.5 GB, some minutes); SERVE=127.0.0.1:11434, OPENAI=127.0.0.1:8000 serve them; MODEL= only one, and llama-cpp-python only with OPENAI
	@./.ci/setup models
	go run ./e2e/models $(if $(SERVE),-serve $(SERVE)) $(if $(OPENAI),-openai $(OPENAI)) $(if $(MODEL),-model $(MODEL))

SUITE ?= bundled

.PHONY: man
man: extension ## a manual page for each command, into bin/man
	go run ./host/cli/man -out bin/man

.PHONY: mcpb
mcpb: build ## bin/tabwright.mcpb, the bundle for Claude Desktop, and bin/server.json for the MCP registry
	go run ./host/mcpb -binary bin/tabwright -out bin

.PHONY: eval
eval: setup extension ## tasks done by a model, judged by the sites: MODEL=ollama/qwen3:8b SUITE=bundled N=10 (docs/models.md)
	@go run ./e2e/eval -model '$(MODEL)' -suite '$(SUITE)' $(if $(N),-n $(N)) $(if $(FORM),-form '$(FORM)') $(ARGS)

.PHONY: deeds
deeds: setup extension ## the gate measured with acts on apps that others made: APPS=gmail,wagtail; ARGS=-verify sees that each deed is one, ARGS=-adversary goes to it by every road
	@go run ./e2e/deeds $(if $(APPS),-apps '$(APPS)') $(ARGS)

.PHONY: house
house: extension ## how the code is named and arranged: names, arrows between files, subjects, lines, size
	@go run ./e2e/house

.PHONY: fuzz
fuzz: ## each fuzz target for FUZZTIME (30s)
	@go list $(PKG) | while read -r pkg; do \
	  go test -list '^Fuzz' "$$pkg" | { grep '^Fuzz' || true; } | while read -r target; do \
	    echo "$$pkg $$target"; \
	    go test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) "$$pkg" || exit 1; \
	  done || exit 1; \
	done

.PHONY: clean
clean: ## remove what was built; .cache and node_modules too with ALL=1
	rm -rf bin dist e2e/out extension/dist
	find extension/archive -mindepth 1 ! -name .keep -delete
	$(if $(ALL),rm -rf .cache extension/node_modules)
