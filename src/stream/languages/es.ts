import type { LanguageTable } from './language-table.ts';

const END = '(?= *(?:$|[.,;:!)\\]–—]| - | (?:y|el|por|hoy|ayer)(?![\\p{L}\\p{N}])))';
/** The names that money goes by: what has arrived is paid. */
const MONEY = '(?:pago|transferencia|ingreso|importe|cuota|fianza)';

/** Spanish. */
export const ES: LanguageTable = {
  code: 'es',
  frames: [
    { id: 'ha sido', pattern: '(?:ha|han|había|habían) (?:ya )?sido (?:ya )?W', confidence: 0.95 },
    { id: 'ha quedado', pattern: '(?:ha|han) quedado (?:ya )?W', confidence: 0.92 },
    { id: 'se ha', pattern: 'se (?:ha|han) W', confidence: 0.94 },
    { id: 'fue', pattern: '(?:fue|fueron) (?:ya )?W', confidence: 0.94 },
    { id: 'está', pattern: '(?:está|están|queda|quedan) (?:ya )?W', confidence: 0.9 },
    {
      id: 'hemos',
      pattern: '(?:hemos|he|han|ha) (?:ya )?W (?:el|la|los|las|su|sus|tu|nuestra|nuestro|esta|este)',
      confidence: 0.9,
    },
    { id: 'solo', pattern: `W${END}`, confidence: 0.82, bare: true },
  ],
  topics: {
    payment: {
      verbs: 'pagar abonar pago',
      forms: [{ words: 'pagad[oa]s?|abonad[oa]s?|liquidad[oa]s?', ceiling: 0.95 }],
      phrases: [
        { id: 'pago recibido', pattern: 'pago (?:ha sido |fue )?recibido', confidence: 0.96 },
        {
          id: 'hemos recibido su pago',
          pattern: '(?:hemos|he) recibido (?:su|el|tu) (?:pago|transferencia)',
          confidence: 0.96,
        },
        {
          id: 'ingreso recibido',
          pattern: `(?:hemos|he) recibido (?:su |el |la |tu )${MONEY}|${MONEY} (?:ha sido |fue )?recibid[oa]`,
          confidence: 0.93,
        },
      ],
      spoiltBy: 'devuelt[oa]s?|devolución|reembols\\p{L}*',
      doubtedBy: '',
      contradictedBy: 'pendiente de pago|rechazado',
    },
    signature: {
      verbs: 'firmar firma',
      forms: [{ words: 'firmad[oa]s?', ceiling: 0.95 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: 'por (?:el|la|los) (?:vendedor|comprador)\\p{L}*',
      contradictedBy: '',
    },
    delivery: {
      verbs: 'entregar recibir recoger devolver',
      forms: [{ words: 'entregad[oa]s?', ceiling: 0.94 }],
      phrases: [],
      spoiltBy: 'pago|correo|mensajes?|buzón',
      doubtedBy: '',
      contradictedBy: '',
    },
    completion: {
      verbs: 'terminar completar presentar',
      forms: [{ words: 'terminad[oa]s?|completad[oa]s?|finalizad[oa]s?|presentad[oa]s?', ceiling: 0.92 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: 'incomplet[oa]',
    },
    approval: {
      verbs: 'aprobar',
      forms: [{ words: 'aprobad[oa]s?|autorizad[oa]s?', ceiling: 0.92 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: 'rechazad[oa]s?|denegad[oa]s?',
    },
    booking: {
      verbs: 'pedir reservar',
      forms: [{ words: 'reservad[oa]s?', ceiling: 0.91 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: '',
    },
    renewal: {
      verbs: 'renovar',
      forms: [{ words: 'renovad[oa]s?', ceiling: 0.91 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: '',
    },
    cancellation: {
      verbs: 'cancelar anular',
      forms: [{ words: 'cancelad[oa]s?|anulad[oa]s?', ceiling: 0.95 }],
      phrases: [
        {
          id: 'ya no es necesario',
          pattern: 'ya no (?:es|son) necesari[oa]s?',
          confidence: 0.92,
          negative: true,
        },
      ],
      spoiltBy: '',
      doubtedBy: 'reserva',
      contradictedBy: 'aplazad[oa]|otra (?:cita|fecha)',
    },
    ending: {
      verbs: '',
      forms: [{ words: 'cerrad[oa]s?|concluid[oa]s?|archivad[oa]s?|rescindid[oa]s?', ceiling: 0.92 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: '',
    },
    withdrawal: {
      verbs: '',
      forms: [{ words: 'retirad[oa]s?|abandonad[oa]s?', ceiling: 0.9 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: '',
    },
  },
  affairs: {
    ended: 'terminad[oa]s?|completad[oa]s?|finalizad[oa]s?|cancelad[oa]s?|anulad[oa]s?',
    affair: 'compra|venta|compraventa|caso|expediente|asunto|proyecto|procedimiento|suscripción',
    contract: 'contrato|póliza',
    contractMade: 'cerrad[oa]s?|concluid[oa]s?|completad[oa]s?',
    excepted: 'excepto|salvo|menos|aún|todavía|etapa',
  },
  dates: [
    {
      id: 'aplazado al',
      pattern:
        '(?:aplazad[oa]s?|pospuest[oa]s?|trasladad[oa]s?|cambiad[oa]s?|prorrogad[oa]s?|adelantad[oa]s?) (?:del [^;!?]{1,30}? )?(?:al|a|para|hasta)',
      confidence: 0.94,
    },
    {
      id: 'fecha límite',
      pattern: '(?:fecha límite|nueva fecha|plazo|vence|vencimiento)(?: es| termina|:)?',
      confidence: 0.9,
    },
  ],
  requests: [
    {
      id: 'por favor',
      pattern:
        'por favor,? (?:firme|pague|envíe|envíenos|confirme|devuelva|complete|rellene|revise|transfiera)|(?:podría|puede|podrías) (?:usted )?(?:por favor )?(?:firmar|pagar|enviar|enviarnos|confirmar|devolver|completar|rellenar|revisar)',
      confidence: 0.85,
    },
    { id: 'necesitamos', pattern: '(?:necesitamos|necesito) (?:su|tu|que)', confidence: 0.85 },
  ],
  cues: {
    questionOpeners: 'cuándo|quién|por qué|cómo',
    inverted: '',
    neutral: 'no dude|no responda|sin falta|sin problemas',
    negation: 'no|nunca|sin|ning[uú]n\\p{L}?|jamás|tampoco|nadie|falta|ni',
    condition: 'en caso|de lo contrario|si|cuando|una vez|en cuanto|antes|hasta|siempre que|mientras|a condición',
    conditionBehind: 'si|cuando|en cuanto|siempre que|a condición',
    conditionForDates: 'en caso|si|siempre que',
    ifs: 'si',
    future: 'será|serán|sería|sea|sean|debe|deben|deberá|puede|podrá|va a|van a|pronto|para ser|ser',
    futureForDates: 'podría\\p{L}*|debería\\p{L}*|quisiera',
    futureBehind: '',
    request: 'por favor|asegúrese',
    partial: 'hasta ahora|una parte|sólo|solo|solamente|parcialmente|en parte|casi|excepto|salvo',
    stillOpen: 'pendientes?',
    hedge:
      'por supuesto|escribe|oído|quizás?|tal vez|a lo mejor|creo que|probablemente|parece|supongo|al parecer|según',
    past: 'el año pasado',
    goneWrong: 'bloquead[oa]s?|dos veces|por error|dañad[oa]s?',
    that: 'que',
    announced: 'comunic\\p{L}*',
    somebodyElse: 'otr[oa] (?:persona|cliente|paciente|familia|comprador|inquilino)',
    turns: 'pero|sin embargo|aunque',
    relative: 'que',
    clauseBreaks: 'pero',
    and: 'y',
    subjects: '',
    takenBack: 'me (?:he )?equivo\\p{L}*|es una prueba',
  },
  spoken: {
    yes: 'sí|si',
    opening: 'hola|hecho|listo',
    deeds: {
      payment: { verbs: 'pagar', words: 'pagado|transferido' },
      sending: { verbs: 'enviar mandar entregar', words: '(?:enviad|mandad|entregad|remitid)[oa]s?' },
      signature: { verbs: 'firmar', words: 'firmad[oa]s?' },
      booking: { verbs: 'reservar', words: '(?:reservad|pedid|comprad)[oa]s?' },
      call: { verbs: 'llamar', words: '(?:llamado|contactado)(?: a)?' },
    },
    frame: '(?:he|hemos|ya) (?:ya )?(?:~)',
    frameOpensClause: false,
    allDone: 'hecho|listo',
    requests: [
      {
        id: 'puedes',
        pattern:
          '(?:puedes|podrías|me puedes) (?:enviar|mandar|pagar|firmar|llamar|reservar|comprar|traer|revisar)(?:me|nos|lo|la)?',
        confidence: 0.8,
      },
    ],
  },
  names: {
    small: `el los las una unos del al con su sus tu tus nuestro nuestra nuestros mi se ha han había sido fue fueron es son está
      están queda quedado ya hoy ayer ahora definitivamente oficialmente completamente lo nos gracias hola estimado estimada
      señor señora confirmamos confirmar confirmo informamos informar comunicamos todo toda todos todas fecha efecto partir
      hemos he partes ambas recibido recibida aplazado aplazada enero febrero marzo abril mayo junio julio agosto septiembre
      octubre noviembre diciembre lunes martes miércoles jueves viernes sábado domingo`,
    stop: 'el los las una y o para con del al',
    articles: 'el los las una',
    salutation: 'hola|estimad[oa]|querid[oa]',
    several: 'y|e|o',
    abbreviations: 'sra|sr|núm',
  },
  quoting: {
    originalMessage: 'mensaje (?:original|reenviado)',
    beginForwarded: 'inicio del mensaje reenviado',
    attributionOpens: 'el',
    wrote: 'escribió',
    from: 'de',
    headers: 'enviado(?: el)?|fecha|para|asunto',
    sentFrom: 'enviado desde mi \\S.{0,40}',
    replyMarks: 'rv',
  },
};
