# Needs Go, make and git. The browser for the tests is set up by "make test".

# bin/ comes first: .ci/setup puts the browser to test with there.
export PATH := $(CURDIR)/bin:$(PATH)

CLIENT  := ./app/... ./components/... ./locales ./streamwasm/...
PROPERTY = $(sort $(dir $(shell grep -rl --include='*_test.go' pgregory.net/rapid .)))
ADDR    ?= 127.0.0.1:8080
DATA    ?= data
FUZZTIME ?= 30s
CHECKS  ?= 20000
SECONDS ?= 600

.PHONY: help run build test generate lint bench size fuzz screens soak mutants replay clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## build quickly and serve the console with its own backend at ADDR
	go run ./cmd/serve/bundle -quick
	go run ./cmd/serve -addr $(ADDR) -data $(DATA)

build: ## build the client into dist/ and the server as bin/serve
	go run ./cmd/serve/bundle
	go build -trimpath -o bin/serve ./cmd/serve

test: lint ## check and test everything, in the browser too
	.ci/setup
	go run ./.ci/summary -timeout 20m ./...

generate: ## write the message catalogue from locales/*.json
	go generate ./locales

lint: bin/staticcheck ## check format, vet and staticcheck, native and js/wasm
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); test -z "$$unformatted" || { echo "not formatted: $$unformatted"; exit 1; }
	go vet ./... ./.ci/summary
	GOOS=js GOARCH=wasm go vet $(CLIENT)
	staticcheck ./... ./.ci/summary
	GOOS=js GOARCH=wasm staticcheck $(CLIENT)

bin/wasmbrowsertest: go.mod
	go build -o $@ github.com/agnivade/wasmbrowsertest

bin/staticcheck: go.mod
	go build -o $@ honnef.co/go/tools/cmd/staticcheck

bench: bin/wasmbrowsertest ## run the benchmarks, those of what frames pass through in the browser too
	.ci/setup
	go test -run '^$$' -bench . -benchmem ./...
	env -i PATH="$$PATH" HOME="$$HOME" GOOS=js GOARCH=wasm \
		go test -exec wasmbrowsertest -run '^$$' -bench . ./app/protocol ./app/store ./components/markdown

size: ## build and compare the bundle's sizes with .ci/size (UPDATE=1 writes it)
	go run ./cmd/serve/bundle -baseline .ci/size $(if $(UPDATE),-update)

fuzz: ## run each fuzz target for FUZZTIME
	@grep -rno --include='*_test.go' 'func Fuzz[A-Za-z0-9_]*' . | while IFS=: read -r file line target; do \
		go test -run '^$$' -fuzz "^$${target#func }$$" -fuzztime $(FUZZTIME) "$$(dirname "$$file")" || exit 1; done

screens: ## take the pictures of the main states into screens/
	mkdir -p screens
	SCREENS=$(CURDIR)/screens go test -count=1 ./cmd/...

soak: ## hunt with random schedules and properties for SECONDS
	@end=$$(($$(date +%s) + $(SECONDS))); while [ $$(date +%s) -lt $$end ]; do \
		go test -count=1 -timeout 0 $(PROPERTY) -rapid.checks=$(CHECKS) || exit 1; done

mutants: ## show that the convergence test notices each seeded mistake
	go test -count=1 -timeout 30m ./app/sim -run TestMutants -mutants -v

replay: ## fold an exported run log and print the state: make replay LOG=file.jsonl
	@go run ./app/replay -notes $(LOG)

clean: ## remove everything that was built
	rm -rf bin dist coverage screens
