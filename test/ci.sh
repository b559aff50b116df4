#!/bin/sh
# `npm run test:ci`: what `npm test` leaves out because it takes long. Runs all parts, whatever one of them finds.
# Words given to it go to vitest's main run, such as a reporter.
status=0
SUITE=ci vitest run "$@" || status=1
# The laws of all suites, with more examples each.
SUITE=laws LAW_RUNS=1500 vitest run || status=1
# Kills the daemon, and the previous release, at some of their system calls.
node test/crash/walk.ts --short || status=1
npm run -s test:fleet || status=1
exit $status
