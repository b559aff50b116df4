import{createHash}from"node:crypto";function sha256(bytes){return createHash(`sha256`).update(bytes).digest(`hex`)}export{sha256 as t};
//# sourceMappingURL=hash-FnGVhK44.js.map