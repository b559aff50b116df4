import path from"node:path";const PACKAGE=path.resolve(import.meta.dirname,`..`,`..`,`..`);export{PACKAGE as t};
//# sourceMappingURL=package-dir-DBqw8Uno.js.map