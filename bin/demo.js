#!/usr/bin/env node
await import('../dist/cli/demo/demo-main.js');
