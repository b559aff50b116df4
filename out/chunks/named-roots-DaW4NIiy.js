import path from"node:path";function namedRoots(written,cwd){return written.map(root=>path.resolve(cwd,root))}export{namedRoots as t};
//# sourceMappingURL=named-roots-DaW4NIiy.js.map