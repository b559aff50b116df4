function parsedJson(schema,text){try{return schema.safeParse(JSON.parse(text)).data??null}catch{return null}}export{parsedJson as t};
//# sourceMappingURL=parsed-json-47VknvGV.js.map