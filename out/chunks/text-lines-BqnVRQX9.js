function*linesOf(text){let start=0;for(let nth=0;start<text.length;nth+=1){const found=text.indexOf(`
`,start);const end=found===-1?text.length:found;yield{nth,text:text.slice(start,end)};start=end+1}}export{linesOf as t};
//# sourceMappingURL=text-lines-BqnVRQX9.js.map