import{B as ProviderError,T as costOf,i as priceUnder}from"./costs-DFifFssJ.js";import{a as costOfFailure,r as checkModel,t as mostWords}from"./print-reading-CjOaAZof.js";import{n as parseMail}from"./mail-BnuDUkPU.js";import{t as TargetIndex,u as AnthropicExtractor,x as readByRules}from"./target-index-BS7-u6xa.js";import{i as admitted,r as checked,t as candidatesFor}from"./candidates-Bupx0u-m.js";import{n as draftsOf}from"./draft-DrnbmjJT.js";import{t as VaultBudget}from"./vault-budget-CNm5SZT4.js";const MATTERS=[{matter:`Boat shed`,sender:`@tarn-timber.example`,tasks:[`Pay the timber invoice 2207`,`Repair visit for the slipway`]},{matter:`Kita Sonnenhang`,sender:`@kita-sonnenhang.example`,tasks:[`Betreuungsvertrag unterschreiben`,`Elternabend in der Kita`,`Impfpass einreichen`]},{matter:`Déménagement à Brume`,sender:`@cartons-brume.example`,tasks:[`Payer l'acompte du déménagement`,`Visite de l'appartement`]},{matter:`Reforma de la cocina`,sender:`@azulejos-rio.example`,tasks:[`Pagar la señal de los azulejos`,`Entrega de los azulejos`]},{matter:`Corso di vela`,sender:`@vela-lago.example`,tasks:[`Pagare la quota del corso`,`Prova in barca`]},{matter:`Zonnepanelen`,sender:`@dakzon.example`,tasks:[`Aanbetaling zonnepanelen betalen`,`Keuring van het dak`]}];const SMALL_PRINT=`Goods remain ours until they are settled in full. Timber is a natural product: colour, grain and moisture vary, and no claim follows from it. Our lorries need a firm road, three metres wide, and somebody who shows where to unload. `.repeat(60);const SAMPLES=[{id:`en-paid`,language:`en`,from:`accounts@tarn-timber.example`,subject:`Receipt`,text:`Dear Robin Hale,

we have received your payment of £312.00 for invoice 2207. Your account is settled.

Tarn Timber, accounts`,expect:{task:`Pay the timber invoice 2207`,change:`done`}},{id:`en-moved`,language:`en`,from:`visits@tarn-timber.example`,subject:`Your repair visit`,text:`Hello,

our carpenter is ill. The repair visit for the slipway has been moved to {day}.

Kind regards
Tarn Timber`,expect:{task:`Repair visit for the slipway`,change:`moved`}},{id:`en-long`,language:`en`,from:`visits@tarn-timber.example`,subject:`Slipway`,text:`Hello Robin,\n\nthe repair visit for the slipway has been cancelled, since the yard has bought a new one. You can strike it off your list.\n\nTarn Timber\n\nTerms of business\n\n${SMALL_PRINT}`,expect:{task:`Repair visit for the slipway`,change:`archived`}},{id:`en-not-yet`,language:`en`,from:`accounts@tarn-timber.example`,subject:`Reminder`,text:`Dear Robin Hale,

invoice 2207 has not been paid yet. As soon as it is paid we will cut the boards.

Tarn Timber, accounts`,expect:null},{id:`en-another-invoice`,language:`en`,from:`accounts@tarn-timber.example`,subject:`Receipt`,text:`Dear Robin Hale,

we have received your payment of £18.50 for invoice 2210 (screws).

Tarn Timber, accounts`,expect:null},{id:`de-erledigt`,language:`de`,from:`buero@kita-sonnenhang.example`,subject:`Unterlagen`,text:`Liebe Frau Hale,

vielen Dank, der Impfpass ist heute bei uns eingegangen. Damit ist alles vollständig.

Kita Sonnenhang`,expect:{task:`Impfpass einreichen`,change:`done`}},{id:`de-verschoben`,language:`de`,from:`leitung@kita-sonnenhang.example`,subject:`Elternabend`,text:`Liebe Eltern,

der Elternabend in der Kita wird auf den {day} verschoben.

Herzliche Grüße
Ihre Leitung`,expect:{task:`Elternabend in der Kita`,change:`moved`}},{id:`de-bedingung`,language:`de`,from:`buero@kita-sonnenhang.example`,subject:`Ihr Platz`,text:`Liebe Frau Hale,

sobald der Betreuungsvertrag unterschrieben ist, schicken wir Ihnen den Plan für die Eingewöhnung.

Kita Sonnenhang`,expect:null},{id:`fr-annulee`,language:`fr`,from:`agence@cartons-brume.example`,subject:`Appartement`,text:`Bonjour,

la visite de l'appartement est annulée : le logement a été loué hier.

Bien à vous
Cartons Brume`,expect:{task:`Visite de l'appartement`,change:`archived`}},{id:`fr-recu`,language:`fr`,from:`compta@cartons-brume.example`,subject:`Votre acompte`,text:`Bonjour Madame Hale,

nous avons bien reçu votre paiement de l'acompte pour le déménagement, 180 €.

Cartons Brume`,expect:{task:`Payer l'acompte du déménagement`,change:`done`}},{id:`fr-question`,language:`fr`,from:`compta@cartons-brume.example`,subject:`Acompte`,text:`Bonjour Madame Hale,

avez-vous déjà payé l'acompte du déménagement ? Nous ne le trouvons pas.

Cartons Brume`,expect:null},{id:`es-aplazada`,language:`es`,from:`pedidos@azulejos-rio.example`,subject:`Su pedido`,text:`Buenos días:

la entrega de los azulejos se aplaza al {day}. Disculpe las molestias.

Azulejos Río`,expect:{task:`Entrega de los azulejos`,change:`moved`}},{id:`es-recibido`,language:`es`,from:`caja@azulejos-rio.example`,subject:`Pago`,text:`Estimada señora Hale:

hemos recibido el pago de la señal de los azulejos. Gracias.

Azulejos Río`,expect:{task:`Pagar la señal de los azulejos`,change:`done`}},{id:`es-promesa`,language:`es`,from:`pedidos@azulejos-rio.example`,subject:`Entrega`,text:`Buenos días:

si el camión sale a tiempo, entregaremos los azulejos esta semana. Le avisaremos.

Azulejos Río`,expect:null},{id:`it-annullata`,language:`it`,from:`scuola@vela-lago.example`,subject:`Prova in barca`,text:`Gentile Robin,

la prova in barca è stata annullata: la barca è stata venduta.

Vela Lago`,expect:{task:`Prova in barca`,change:`archived`}},{id:`it-ricevuta`,language:`it`,from:`segreteria@vela-lago.example`,subject:`Quota`,text:`Gentile Robin,

abbiamo ricevuto il pagamento della quota del corso. Grazie e a presto.

Vela Lago`,expect:{task:`Pagare la quota del corso`,change:`done`}},{id:`it-non-ancora`,language:`it`,from:`segreteria@vela-lago.example`,subject:`Quota`,text:`Gentile Robin,

la quota del corso non risulta ancora pagata. Può controllare?

Vela Lago`,expect:null},{id:`nl-verplaatst`,language:`nl`,from:`planning@dakzon.example`,subject:`Afspraak`,text:`Beste Robin,

de keuring van het dak is verplaatst naar {day}.

Met vriendelijke groet
Dakzon`,expect:{task:`Keuring van het dak`,change:`moved`}},{id:`nl-ontvangen`,language:`nl`,from:`administratie@dakzon.example`,subject:`Betaling`,text:`Beste Robin,

wij hebben de aanbetaling voor de zonnepanelen ontvangen. Dank u wel.

Dakzon`,expect:{task:`Aanbetaling zonnepanelen betalen`,change:`done`}},{id:`nl-anderen`,language:`nl`,from:`klanten@dakzon.example`,subject:`Samen met de buurt`,text:`Beste Robin,

in uw straat hebben twaalf gezinnen de aanbetaling al betaald. Doet u ook mee?

Dakzon`,expect:null}];const AHEAD_MS=15552e5;const FOLDER=`built-in samples`;async function sampleEvent(sample,now){const parsed=await parseMail(`${FOLDER}/${sample.id}.eml`,bytesOf(sample,now),{sourceType:`mail`,trustedServers:[]});if(!parsed.ok)throw new Error(`The sample ${sample.id} cannot be read: ${parsed.trouble.message}`);return parsed.event}function sampleIndex(){const index=new TargetIndex;const blank={aliases:[],senders:[],keywords:[],summary:``,state:`open`};for(const{matter,sender,tasks}of MATTERS){const matterPath=pathOf(matter);index.add({...blank,kind:`matter`,path:matterPath,name:matter,matterPath:null,senders:[sender]});for(const task of tasks)index.add({...blank,kind:`task`,path:pathOf(task),name:task,matterPath,due:null,scheduled:null})}return index}function isExpected({target_path,target_ambiguous,...draft},{expect},now){if(expect===null||target_ambiguous||target_path!==pathOf(expect.task))return false;const set=draft.mutation_proposal?.set??{};return expect.change===`moved`?set.due===dayAhead(now):set.state===expect.change}function pathOf(name){return`${FOLDER}/${name}.md`}function dayAhead(now){return new Date(now+AHEAD_MS).toISOString().slice(0,10)}function bytesOf({language,from,subject,text},now){const spelled=new Intl.DateTimeFormat(language,{dateStyle:`long`,timeZone:`UTC`});const lines=[`From: ${from}`,`To: robin@home.example`,`Date: ${new Date(now).toUTCString()}`,`Subject: =?utf-8?B?${Buffer.from(subject).toString(`base64`)}?=`,`MIME-Version: 1.0`,`Content-Type: text/plain; charset=utf-8`,`Content-Transfer-Encoding: 8bit`,``,text.replace(`{day}`,spelled.format(now+AHEAD_MS)).replaceAll(`
`,`\r
`)];return Buffer.from(lines.join(`\r
`))}async function sampleQuestions({index},now){return Promise.all(SAMPLES.map(async sample=>{const admission=admitted(await sampleEvent(sample,now),new Date(now));if(!admission.ok)throw new Error(`The sample ${sample.id} is not admitted: ${admission.reason}`);const candidates=candidatesFor(index,admission.event);const question=candidates.length===0?null:{event:admission.event,candidates,now};return{sample,event:admission.event,question}}))}function mostOf(asked,extractor){const estimates=asked.flatMap(({question})=>(question&&extractor.estimate?.(question))??[]);const sum=of=>estimates.reduce((all,one)=>all+of(one),0);const isPriced=estimates.every(({usd})=>usd!==null);return{tokens_in:2*sum(({tokens_in})=>tokens_in),tokens_out:3*sum(({tokens_out})=>tokens_out),usd:isPriced?3*sum(({usd})=>usd??0):null}}function readEmbedded(asked,known,now){return readingOf(`embedded`,asked.map(({sample,event})=>{const began=performance.now();return{sample,drafts:draftsFrom(event,readByRules(event,known),known,now),isUnusable:false,ms:performance.now()-began,usage:null}}),now,null)}async function readByModel(asked,{extractor,budget,known,now},heard){const reads=[];for(const{sample,event,question}of asked){const began=performance.now();const answer=question===null?NOT_ASKED:await askedOf(extractor,question,budget);if(typeof answer===`string`)return readingOf(extractor.name,reads,now,answer);const drafts=answer.unusable===null?draftsFrom(event,checked(answer,event,known.index),known,now):[];const ms=performance.now()-began;reads.push({sample,drafts,isUnusable:answer.unusable!==null,ms,usage:answer.usage});heard(reads.length,ms)}return readingOf(extractor.name,reads,now,null)}const NOT_ASKED={meanings:[],rejected:[],skipped:null,unusable:null,extractor:``,usage:null};async function askedOf(extractor,question,budget){const estimate=extractor.estimate?.(question);if(estimate===void 0)throw new Error(`${extractor.name} is no model`);const reserved=await budget.reserve(estimate);if(!reserved.ok)return reserved.reason;try{const answer=await extractor.extract(question,new AbortController().signal);const usage=answer.usage??estimate;await budget.record({id:reserved.id,cost:costOf(usage),usage});return answer}catch(error){if(!(error instanceof ProviderError))throw error;await budget.record({id:reserved.id,...costOfFailure(error)});return error.failure===`rejected`?{...NOT_ASKED,unusable:error.message}:error.message}}function draftsFrom(event,extracted,{index},now){return draftsOf(event,extracted,index,{confidenceOf:()=>1,standingOf:()=>`unknown`,canVouch:false,now:new Date(now)})}function readingOf(reader,reads,now,stopped){const judged=reads.map(read=>judgedOf(read,now));const sum=of=>judged.reduce((all,one)=>all+of(one),0);const[right,wrong]=[sum(one=>one.right),sum(({wrongly})=>wrongly.length)];const missed=judged.filter(({isMissed})=>isMissed).length;const usages=reads.flatMap(({usage})=>usage??[]);return{reader,mails:reads.length,right,wrong,missed,precision:shareOf(right,right+wrong),recall:shareOf(right,right+missed),unusable:reads.filter(({isUnusable})=>isUnusable).length,secondsPerMail:reads.reduce((all,{ms})=>all+ms,0)/1e3/Math.max(1,reads.length),tokensIn:usages.reduce((all,{tokens_in})=>all+tokens_in,0),tokensOut:usages.reduce((all,{tokens_out})=>all+tokens_out,0),usd:usages.some(({usd})=>usd===null)?null:usages.reduce((all,{usd})=>all+(usd??0),0),mistakes:judged.flatMap(mistakesOf),stopped}}function judgedOf({sample,drafts},now){const proposed=drafts.filter(({effect,target_ambiguous})=>effect===`mutation`&&!target_ambiguous);const wrongly=proposed.filter(draft=>!isExpected(draft,sample,now));const right=proposed.length>wrongly.length?1:0;return{sample,wrongly,right,isMissed:sample.expect!==null&&right===0}}function mistakesOf({sample,wrongly,isMissed}){const expected=sample.expect===null?`nothing`:`${sample.expect.change}: ${sample.expect.task}`;const said=wrongly.map(draft=>({sample:sample.id,expected,said:toldOf(draft)}));return isMissed&&said.length===0?[{sample:sample.id,expected,said:null}]:said}function toldOf({mutation_proposal,target_path}){const set=Object.entries(mutation_proposal?.set??{}).map(([field,value])=>`${field} ${String(value)}`);const task=target_path.replace(/^.*\//,``).replace(/\.md$/,``);return`${set.join(`, `)||`another field`}: ${task}`}function shareOf(part,whole){return whole===0?null:part/whole}const PATIENCE_MS=6e4;async function checkReader(space,context,root,checks,wanted){const{settings,now}=space.context;const{provider}=space.models;const at=now();const known={index:sampleIndex(),learnt:space.ingest.targets.learnt};const asked=await sampleQuestions(known,at);const embedded=readEmbedded(asked,known,at);const id=wanted??settings.model_extraction;const budget=new VaultBudget(context,root,PATIENCE_MS);const notAsked=whyNot(checks.find(({model})=>model===id)??await checkModel(space,budget,id));if(notAsked!==null||provider===null)return{readings:[embedded],notAsked};const extractor=new AnthropicExtractor(provider,{model:id,price:priceUnder(settings,id)});context.err.line(mostWords(id,asked.length,mostOf(asked,extractor)));return{readings:[await readByModel(asked,{extractor,budget,known,now:at},(nth,ms)=>{context.err.progress(`mail ${nth} of ${asked.length}: ${(ms/1e3).toFixed(1)} s`)}),embedded],notAsked:null}}function whyNot(check){if(check.outcome===`answered`)return null;return check.outcome===`failed`?check.trouble.message:`${check.model} was not asked: ${check.reason}.`}export{checkReader};
//# sourceMappingURL=reader-check-Baebf-Rm.js.map