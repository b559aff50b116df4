// Plain JavaScript that even an old Node can parse, so that it can say in one sentence what is wrong.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 22)) {
  console.error(
    `steward needs Node 22.22 or newer; this is ${process.versions.node}. Run it by npm, or install a newer Node.`,
  );
  process.exit(78);
}
