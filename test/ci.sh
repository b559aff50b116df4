#!/bin/sh
# `npm run test:ci`: what `npm test` leaves out because it takes long. Runs all parts, whatever one of them finds.
# Words given to it go to vitest's main run, such as a reporter.
status=0
# Laws run 1,500 examples here, and those of `npm test` are repeated with as many.
export LAW_RUNS=1500
SUITE=ci vitest run "$@" || status=1
SUITE=laws vitest run || status=1
unset LAW_RUNS
npm run -s test:fleet || status=1
exit $status
