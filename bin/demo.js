#!/usr/bin/env node
await import('../dist/cli/demo-main.js');
