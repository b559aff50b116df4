function asciiOf(bytes){return Buffer.from(bytes.buffer,bytes.byteOffset,bytes.length).toString(`latin1`).replaceAll(`\0`,``)}export{asciiOf as t};
//# sourceMappingURL=ascii-vDlOQ8pG.js.map