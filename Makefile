# `make demo` and `make test` are for everyone; the rest is for development.

CARGO ?= cargo
TARGET := $(or $(CARGO_TARGET_DIR),target)
VENV := $(abspath $(TARGET))/venv
CARGO_DENY := 0.20.2
# AERIE_TOOLS: a folder for tools that clones share; they take minutes to build.
TOOLS := $(or $(AERIE_TOOLS),$(abspath $(TARGET))/tools)
DENY := $(TOOLS)/cargo-deny-$(CARGO_DENY)/bin/cargo-deny
CARGO_FUZZ := 0.13.2
FUZZ := $(TOOLS)/cargo-fuzz-$(CARGO_FUZZ)/bin/cargo-fuzz
DEPLOY_TOOLS := $(TOOLS)/deploy-$(shell cat lint/requirements.txt lint/deploy_tools.sh | sha256sum | cut -c1-12)
export AERIE_BIN ?= $(abspath $(TARGET))/debug/aerie
export XDG_RUNTIME_DIR ?= /tmp
export AERIE_C2PA_PYTHON ?= $(VENV)/bin/python

# Stages of `make test` at the same time; 1: one after the other. More stages would compete for the same cores: rendering uses all of them.
JOBS ?= 2

.PHONY: demo test checks measure conformance console fleet lint fuzz-tools advisories bench serve dist system test-system

demo: system ## build Aerie, run the service, make media on sample data, write demo-output/
	$(CARGO) build --profile demo
	$(TARGET)/demo/aerie demo --out demo-output

# `make test` builds neither the programs that train networks and put the service under load, nor examples, of which tests run one; `make
# measure` and clippy do. The binary is built with the features of the tests, which an example selects, too: `--package aerie-cli`
# alone would select fewer, and compile tokio and all that uses it twice.
TESTED := --workspace --exclude aerie-load --exclude aerie-training
PROGRAMS := $(CARGO) build $(TESTED) --lib --bin aerie --bin aerie-engine --bin aerie-sign --example rooms
BUILD := $(PROGRAMS) --tests
STAGE := .ci/stage

# Without data, the tests that need it are reported as ignored. Those that need a server run in e2e/s3.sh and e2e/postgres.sh;
# those of modules named `measurements` in `make measure`. No crate has tests in its documentation, and to look for them takes minutes.
IGNORED := --skip measurements:: $(if $(AERIE_TEST_DATA),--include-ignored --skip s3:: --skip postgres_)

ifdef CRATE
test: system $(VENV)/ready ## build and run every test; CRATE=NAME: those of a crate and of the crates that depend on it
	$(BUILD)
	TESTED="$(TESTED)" e2e/crate_tests.py $(CRATE) $(IGNORED)
else
test: test-system $(VENV)/ready
	$(STAGE) build $(PROGRAMS)
	$(STAGE) checks env AERIE_STAGE_LOGS=$(abspath $(TARGET))/stages $(MAKE) --no-print-directory --jobs $(JOBS) checks
	$(MAKE) --no-print-directory check-campaigns
endif

# The compiler and the suite compute and the others wait for servers, so they run side by side. Tests with time limits run alone,
# afterwards.
OF_RUST := suite e2e postgres s3
CHECKS := $(OF_RUST) clients console conformance truth share-page
.PHONY: $(CHECKS:%=check-%) check-campaigns build-tests
checks: $(CHECKS:%=check-%)
$(OF_RUST:%=check-%): build-tests

build-tests:
	@$(STAGE) build-tests $(BUILD)
check-suite:
	@$(STAGE) suite $(CARGO) test $(TESTED) --no-fail-fast --lib --bin aerie --bin aerie-engine --test it --test s3 -- $(IGNORED)
check-e2e:
	@$(STAGE) e2e $(CARGO) test $(TESTED) --test e2e -- --skip campaigns:: --skip kills:: $(IGNORED)
check-campaigns:
	@$(STAGE) campaigns $(CARGO) test $(TESTED) --test e2e -- campaigns:: kills::
check-s3:
	@VENV=$(VENV) CARGO="$(CARGO)" PACKAGE="$(TESTED)" $(STAGE) s3 e2e/s3.sh
check-postgres:
	@CARGO="$(CARGO)" PACKAGE="$(TESTED)" $(STAGE) postgres e2e/postgres.sh
check-conformance:
	@VENV=$(VENV) $(STAGE) conformance e2e/conformance.sh 10 300
check-clients:
	@VENV=$(VENV) $(STAGE) clients e2e/clients.sh
check-share-page:
	@VENV=$(VENV) $(STAGE) share-page e2e/share_page.sh
check-truth:
	@VENV=$(VENV) $(STAGE) truth e2e/truth.sh
check-console:
	@VENV=$(VENV) $(STAGE) console e2e/console.sh flow account share operator

measure: system ## rates over real data, campaigns and costs, each with its bar; NAME=... selects
	TESTED="$(TESTED)" bench/measure.sh $(NAME)

conformance: system $(VENV)/ready ## send a running server 10,000 requests that its OpenAPI document allows or forbids
	$(BUILD)
	VENV=$(VENV) e2e/conformance.sh 700 10000

console: system $(VENV)/ready ## go through every desk of the consoles in Chromium
	$(BUILD)
	$(MAKE) system PACKAGES=chromium
	VENV=$(VENV) e2e/console.sh

fleet: system ## kill and restart the nodes of a fleet while it works
	$(CARGO) build --workspace --lib --bin aerie --bin aerie-engine --bin aerie-sign --bin fleet
	AERIE_BIN="$${AERIE_BIN:-$${CARGO_TARGET_DIR:-target}/debug/aerie}" bench/fleet.sh --runs 1 --seed 9 --again

lint: $(DENY) $(DEPLOY_TOOLS)/ready $(VENV)/ready ## formatting, lints, documentation, dependencies, deploy/, the console; warnings are errors
	$(STAGE) rustfmt $(CARGO) fmt --all --check
	$(STAGE) clippy $(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS='-D warnings' $(STAGE) rustdoc $(CARGO) doc --workspace --lib --no-deps --locked
	$(STAGE) cargo-deny $< --locked check bans licenses sources
	python3 lint/test_module_cycles.py
	$(STAGE) module-cycles python3 lint/module_cycles.py
	$(STAGE) deploy lint/deploy.sh $(DEPLOY_TOOLS)
	VENV=$(VENV) $(STAGE) console-assets lint/console.sh

fuzz-tools: $(FUZZ) ## install cargo-fuzz into target/tools, for bench/fuzz.sh

advisories: $(DENY) ## known vulnerabilities of dependencies; needs the network
	$< --locked check advisories

bench: system ## measure against peers in the same run and print ratios
	$(CARGO) build --release
	bench/drone_footage.sh

serve: system ## run the service on 127.0.0.1:8080
	$(CARGO) build --release
	$(TARGET)/release/aerie serve

dist: ## pack the release programs, their manual, units and documents: dist/aerie-VERSION-ARCH.tar.gz; their symbols apart
	$(CARGO) build --release --locked
	packaging/dist.sh $(TARGET)/release dist

# System packages that Aerie needs, installed if missing.
PACKAGES := ffmpeg mesa-vulkan-drivers libvulkan1 gcc libc6-dev ca-certificates curl jq gdal-bin

# Python packages for the tests, and Node for the TypeScript client and the console.
$(VENV)/ready: e2e/requirements.txt
	@python3 -c 'import ensurepip, venv' 2>/dev/null || $(MAKE) system PACKAGES='python3 python3-venv'
	python3 -m venv --clear $(VENV)
	$(STAGE) python-packages $(VENV)/bin/pip install --quiet --disable-pip-version-check --no-compile --requirement $<
	touch $@

# Linters of deploy/, without Docker or a cluster.
$(DEPLOY_TOOLS)/ready:
	@python3 -c 'import ensurepip, venv' 2>/dev/null || $(MAKE) system PACKAGES='python3 python3-venv'
	$(STAGE) deploy-tools lint/deploy_tools.sh $(DEPLOY_TOOLS)

# Built without optimization, as it runs for a second.
$(DENY):
	CARGO_PROFILE_DEV_DEBUG=0 $(STAGE) cargo-deny-install $(CARGO) install --quiet --debug --locked cargo-deny --version $(CARGO_DENY) \
	  --root $(TOOLS)/cargo-deny-$(CARGO_DENY) --target-dir $(TOOLS)/build
	rm -rf $(TOOLS)/build

$(FUZZ):
	CARGO_PROFILE_DEV_DEBUG=0 $(CARGO) install --quiet --debug --locked cargo-fuzz --version $(CARGO_FUZZ) \
	  --root $(TOOLS)/cargo-fuzz-$(CARGO_FUZZ) --target-dir $(TOOLS)/build
	rm -rf $(TOOLS)/build

# Also installs what only tests need.
test-system: PACKAGES += postgresql chromium python3
test-system: system

system:
	@missing=""; \
	for package in $(PACKAGES); do \
	  dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$package"; \
	done; \
	if [ -n "$$missing" ]; then \
	  if ! command -v apt-get >/dev/null; then \
	    command -v ffmpeg >/dev/null && exit 0; \
	    echo "Aerie needs ffmpeg (with libx264) and a Vulkan driver; install them with your package manager."; exit 1; \
	  fi; \
	  if [ "$$(id -u)" = 0 ]; then sudo=""; \
	  elif command -v sudo >/dev/null; then sudo="sudo"; \
	  else echo "Aerie needs these packages; please install them as root: apt-get install$$missing"; exit 1; fi; \
	  echo "installing$$missing"; \
	  $$sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq --no-install-recommends $$missing; \
	fi
