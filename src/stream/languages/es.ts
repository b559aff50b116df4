import type { LanguageTable } from './language-table.ts';

const END = '(?= *(?:$|[.,;:!)\\]–—]| - | (?:y|el|por|hoy|ayer)(?![\\p{L}\\p{N}])))';
/** The names that money goes by: what has arrived is paid. */
const MONEY = '(?:pago|transferencia|ingreso|importe|cuota|fianza)';

/** A sum of money, as notifications write it. */
const AMOUNT = '(?:[€£$] ?\\p{Nd}[\\p{Nd}.,]{0,15}|\\p{Nd}[\\p{Nd}.,]{0,15} ?(?:€|euros?|eur)(?!\\p{L}))';
/** A few words of the subject between its noun and its verb. */
const FEW = '(?: [^ ,;.!?]+(?:[.,]\\p{Nd}+)*){0,5}?';
const WAS = '(?:ha sido|han sido|se ha|se han|fue|fueron|está|están|queda) (?:ya |correctamente )?';
const DEAL = '(?:cuenta|suscripción|contrato|póliza|línea|alta)';

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
      verbs: 'pagar abonar pago ingresar transferir',
      forms: [
        { words: 'pagad[oa]s?|abonad[oa]s?|liquidad[oa]s?', ceiling: 0.95 },
        { words: 'saldad[oa]s?', ceiling: 0.9 },
      ],
      phrases: [
        {
          id: 'hemos cobrado',
          pattern: `(?:hemos|ha|han) (?:cargado|cobrado|adeudado)(?: [^ ;!?]+){0,3}? (?:${AMOUNT}|(?:su |tu |el |la )?(?:recibo|factura|cuota|importe))|se (?:ha|han) (?:cargado|cobrado)(?: [^ ;!?]+){0,4}? (?:recibo|factura|cuota|importe|${AMOUNT})|(?:recibo|cuota|factura|importe)${FEW} ${WAS}(?:domiciliad[oa] y )?(?:cobrad[oa]|cargad[oa]|abonad[oa])`,
          confidence: 0.89,
        },
        {
          id: 'ha pagado',
          pattern: `(?:ha|has) (?:pagado|enviado|realizado) (?:un pago de )?${AMOUNT}`,
          confidence: 0.89,
        },
        { id: 'gracias por su pago', pattern: 'gracias por (?:su|tu|el) pago', confidence: 0.89 },
        {
          id: 'confirmación de pago',
          pattern: '(?:confirmación|justificante|recibo) de(?:l| su)? pago',
          confidence: 0.84,
        },
        {
          id: 'pago realizado',
          pattern: `(?:pago|transferencia|recibo)${FEW} ${WAS}(?:realizad[oa]|aceptad[oa]|procesad[oa]|registrad[oa]|confirmad[oa]|ejecutad[oa]|efectuad[oa])`,
          confidence: 0.92,
        },
        { id: 'hemos recibido el importe', pattern: 'hemos recibido (?:el |su )?(?:importe|abono)', confidence: 0.92 },
        { id: 'al corriente de pago', pattern: '(?:está|se encuentra) al corriente de pago', confidence: 0.84 },
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
      spoiltBy: 'devuelt[oa]s?|devolución|reembols\\p{L}*|reintegr\\p{L}*|abonad[oa]s? en su cuenta',
      doubtedBy: 'a cuenta de',
      contradictedBy:
        'pendiente de pago|rechazado|impagad[oa]s?|no se ha podido cobrar|pago (?:ha sido )?(?:rechazado|devuelto)',
    },
    signature: {
      verbs: 'firmar firma',
      forms: [{ words: 'firmad[oa]s?', ceiling: 0.95 }],
      phrases: [
        {
          id: 'todos han firmado',
          pattern: `(?:todos|todas las partes|ambas partes)${FEW} han firmado`,
          confidence: 0.95,
        },
      ],
      spoiltBy:
        '(?:otra parte|contraparte|vendedor\\p{L}*|comprador\\p{L}*|arrendador\\p{L}*|arrendatari[oa]|inquilin[oa]|propietari[oa]) (?:ha|han|había|habían)|(?:ha|han) firmado (?:ya )?(?:la |el |los )?(?:otra parte|contraparte|vendedor\\p{L}*|comprador\\p{L}*|arrendador\\p{L}*|arrendatari[oa]|inquilin[oa]|propietari[oa])|un[oa] de (?:los|las) (?:dos|tres|cuatro|\\p{Nd}) (?:firmantes|partes)|\\p{Nd} de \\p{Nd} firmas',
      doubtedBy: 'por (?:el|la|los) (?:vendedor|comprador)\\p{L}*',
      contradictedBy: 'sin firmar|falta la firma|pendiente de firma',
    },
    delivery: {
      verbs: 'entregar recibir recoger devolver enviar',
      forms: [{ words: 'entregad[oa]s?', ceiling: 0.94 }],
      phrases: [
        {
          id: 'paquete recogido',
          pattern: `(?:paquete|envío|pedido)${FEW} ${WAS}(?:recogid[oa]|depositad[oa]|entregad[oa])`,
          confidence: 0.92,
        },
        { id: 'hemos entregado', pattern: 'hemos entregado (?:su|tu|el) (?:pedido|paquete|envío)', confidence: 0.93 },
        {
          id: 'devolución recibida',
          pattern: 'recibido (?:su|tu|la) (?:devolución|paquete)',
          confidence: 0.88,
          onlyAsked: true,
        },
      ],
      spoiltBy: 'pago|correo|mensajes?|buzón',
      doubtedBy: '',
      contradictedBy: 'no se ha podido entregar|ausente|devuelto al remitente|retrasad[oa]',
    },
    completion: {
      verbs: 'terminar completar presentar solicitar inscribir rellenar tramitar enviar',
      forms: [
        { words: 'terminad[oa]s?|completad[oa]s?|finalizad[oa]s?|presentad[oa]s?', ceiling: 0.92 },
        { words: 'tramitad[oa]s?', ceiling: 0.88 },
      ],
      phrases: [
        {
          id: 'hemos recibido su solicitud',
          pattern:
            '(?:hemos|se ha) recibido (?:su|tu|la) (?:solicitud|declaración|documentación|inscripción|petición|reclamación|formulario)',
          confidence: 0.9,
          onlyAsked: true,
        },
        {
          id: 'solicitud registrada',
          pattern: `(?:solicitud|declaración|inscripción|cambio de (?:domicilio|titular)|lectura|trámite|gestión)${FEW} ${WAS}(?:registrad[oa]|tramitad[oa]|presentad[oa]|procesad[oa]|completad[oa])`,
          confidence: 0.9,
        },
        {
          id: 'trámite finalizado',
          pattern: '(?:trámite|gestión|expediente) ha (?:finalizado|concluido)',
          confidence: 0.88,
        },
      ],
      spoiltBy: 'casi terminad[oa]|\\d+ ?% completad[oa]|baja|cancelación|reembolso|devolución',
      doubtedBy: '',
      contradictedBy: 'incomplet[oa]',
    },
    approval: {
      verbs: 'aprobar aceptar conceder',
      forms: [{ words: 'aprobad[oa]s?|autorizad[oa]s?', ceiling: 0.92 }],
      phrases: [
        {
          id: 'solicitud concedida',
          pattern: `(?:solicitud|petición|reclamación|beca|ayuda)${FEW} ${WAS}(?:aceptad[oa]|concedid[oa]|admitid[oa]|estimad[oa]|resuelt[oa] favorablemente)`,
          confidence: 0.92,
        },
        {
          id: 'ofrecerle una plaza',
          pattern: '(?:complace|gustaría|alegra) ofrecer(?:le|te) una plaza|tiene una plaza asignada',
          confidence: 0.84,
        },
        {
          id: 'visado expedido',
          pattern: `(?:visado|pasaporte|permiso|certificado|carné)${FEW} ${WAS}(?:expedid[oa]|emitid[oa])`,
          confidence: 0.92,
        },
      ],
      spoiltBy: 'preaprobad[oa]|preconcedid[oa]',
      doubtedBy: '',
      contradictedBy: 'rechazad[oa]s?|denegad[oa]s?',
    },
    booking: {
      verbs: 'pedir reservar comprar encargar',
      forms: [{ words: 'reservad[oa]s?', ceiling: 0.91 }],
      phrases: [
        {
          id: 'reserva confirmada',
          pattern: `(?:reserva|pedido|estancia|billetes?|mesa|compra|entradas?)${FEW} ${WAS}confirmad[oa]s?`,
          confidence: 0.92,
        },
        {
          id: 'cita confirmada',
          pattern: `(?:cita|visita|consulta)${FEW} ${WAS}confirmad[oa]`,
          confidence: 0.9,
          onlyAsked: true,
        },
        {
          id: 'confirmación de reserva',
          pattern: 'confirmación de (?:la |su |tu )?(?:reserva|pedido|compra)',
          confidence: 0.84,
        },
        { id: 'hemos confirmado', pattern: 'hemos confirmado (?:su|tu) (?:reserva|pedido|estancia)', confidence: 0.92 },
        {
          id: 'gracias por su pedido',
          pattern: 'gracias por (?:su|tu) (?:pedido|compra|reserva)',
          confidence: 0.86,
          onlyAsked: true,
        },
        {
          id: 'enviado',
          pattern: `(?:pedido|paquete|compra)${FEW} ${WAS}enviad[oa]`,
          confidence: 0.88,
          onlyAsked: true,
        },
        {
          id: 'en camino',
          pattern: `(?:pedido|paquete|envío)${FEW} está en (?:camino|reparto)`,
          confidence: 0.86,
          onlyAsked: true,
        },
        {
          id: 'billete adjunto',
          pattern: 'adjunta\\p{L}* (?:su|tu|el|los|sus) (?:billetes?|entradas?|tarjeta de embarque)',
          confidence: 0.86,
        },
      ],
      spoiltBy: 'derechos reservados|reservad[oa]s? (?:para|a) ',
      doubtedBy: '',
      contradictedBy: 'reserva (?:ha sido )?(?:cancelada|rechazada)|agotad[oa]s?|no disponible',
    },
    renewal: {
      verbs: 'renovar renovación prorrogar',
      forms: [{ words: 'renovad[oa]s?', ceiling: 0.91 }],
      phrases: [
        {
          id: 'prorrogado',
          pattern: `(?:suscripción|contrato|póliza|seguro|carné)${FEW} ${WAS}(?:prorrogad[oa]|ampliad[oa]|renovad[oa])`,
          confidence: 0.92,
        },
      ],
      spoiltBy: '(?:interés|ilusión) renovad[oa]',
      doubtedBy: '',
      contradictedBy: 'ha (?:caducado|vencido|expirado)',
    },
    cancellation: {
      verbs: 'cancelar anular baja cerrar rescindir',
      forms: [{ words: 'cancelad[oa]s?|anulad[oa]s?', ceiling: 0.95 }],
      phrases: [
        {
          id: 'confirmamos la baja',
          pattern: `(?:confirmamos|confirmo|confirmada) (?:la |su )?(?:baja|cancelación|anulación)|confirmación de (?:la |su )?(?:baja|cancelación|anulación)|baja${FEW} ${WAS}(?:tramitada|procesada|registrada|confirmada)`,
          confidence: 0.89,
        },
        {
          id: 'hemos cerrado su cuenta',
          pattern: `hemos (?:cerrado|cancelado|anulado|dado de baja) (?:su|tu|la) ${DEAL}|${DEAL}${FEW} ${WAS}(?:cerrad[oa]|dad[oa] de baja|cancelad[oa])`,
          confidence: 0.92,
        },
        {
          id: 'no se celebrará',
          pattern: 'no (?:se (?:celebrará|realizará|va a celebrar)|tendrá lugar|va a tener lugar)',
          confidence: 0.92,
          negative: true,
        },
        {
          id: 'ya no es necesario',
          pattern: 'ya no (?:es|son) necesari[oa]s?',
          confidence: 0.92,
          negative: true,
        },
      ],
      spoiltBy: '(?:pago|recibo|transferencia|recordatorio)[^.;]{0,60}(?:cancelad[oa]|anulad[oa])|cheque anulado',
      doubtedBy: 'reserva',
      contradictedBy: 'aplazad[oa]|otra (?:cita|fecha)',
    },
    ending: {
      verbs: '',
      forms: [{ words: 'cerrad[oa]s?|concluid[oa]s?|archivad[oa]s?|rescindid[oa]s?', ceiling: 0.92 }],
      phrases: [],
      spoiltBy: 'cerrad[oa] (?:por|hasta|el|los)',
      doubtedBy: '',
      contradictedBy: 'reabiert[oa]',
    },
    withdrawal: {
      verbs: '',
      forms: [{ words: 'retirad[oa]s?|abandonad[oa]s?', ceiling: 0.9 }],
      phrases: [],
      spoiltBy: 'dinero retirado|retirad[oa] (?:en|del) (?:cajero|tienda)',
      doubtedBy: '',
      contradictedBy: 'restablecid[oa]',
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
        '(?:aplazad[oa]s?|pospuest[oa]s?|trasladad[oa]s?|cambiad[oa]s?|cambiado|reprogramad[oa]s?|prorrogad[oa]s?|adelantad[oa]s?) (?:del [^;!?]{1,30}? )?(?:al|a|para|hasta)',
      confidence: 0.94,
    },
    {
      id: 'fecha límite',
      pattern:
        '(?:fecha límite|nueva fecha|plazo|vence|vencimiento)(?: de (?:entrega|la cita|la reunión|la visita))?(?: es| termina|:)?',
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
    inverted: 'me pregunto si|sabe (?:usted )?si|saben si',
    neutral: 'no dude|no responda|sin falta|sin problemas',
    negation: 'no|nunca|sin|ning[uú]n\\p{L}?|jamás|tampoco|nadie|falta|ni',
    condition:
      'paso \\p{Nd}|en caso|de lo contrario|si|cuando|una vez|en cuanto|antes|hasta|siempre que|mientras|a condición',
    conditionBehind: 'si|cuando|en cuanto|siempre que|a condición',
    conditionForDates: 'en caso|si|siempre que',
    ifs: 'si',
    future: 'será|serán|sería|sea|sean|debe|deben|deberá|puede|podrá|va a|van a|pronto|para ser|ser',
    futureForDates: 'podría\\p{L}*|debería\\p{L}*|quisiera',
    futureBehind: 'próximamente|en breve',
    request: 'por favor|asegúrese',
    partial: 'hasta ahora|una parte|sólo|solo|solamente|parcialmente|en parte|casi|excepto|salvo',
    stillOpen: 'pendientes?',
    hedge:
      'por supuesto|escribe|oído|quizás?|tal vez|a lo mejor|creo que|probablemente|parece|supongo|al parecer|según',
    past: 'el mes pasado|anterior',
    goneWrong: 'bloquead[oa]s?|dos veces|por error|dañad[oa]s?',
    that: 'que',
    announced: 'comunic\\p{L}*|confirm\\p{L}*|inform\\p{L}*|complace',
    somebodyElse:
      'otr[oa] (?:persona|cliente|paciente|familia|comprador|inquilino)|(?:\\p{N}[\\p{N}.]{0,12}|much[oa]s|vari[oa]s|algun[oa]s|la mayoría de (?:los|las)|otr[oa]s) (?:[^ ,;.!?]+ ){0,2}?(?:familias|padres|socios|miembros|clientes|participantes|vecinos|compañeros|inquilinos|hogares|personas|alumnos|jugadores) (?:ya )?(?:han|habían|están)|(?:ya )?han (?:pagado|firmado|reservado) (?:ya )?(?:\\p{N}[\\p{N}.]{0,12}|much[oa]s|vari[oa]s|algun[oa]s|la mayoría de (?:los|las)|otr[oa]s) (?:familias|padres|socios|miembros|clientes|participantes|vecinos|compañeros|inquilinos|hogares|personas|alumnos|jugadores)',
    turns: 'pero|sin embargo|aunque',
    relative: 'que',
    clauseBreaks: 'pero',
    and: 'y',
    subjects: 'nosotros|ustedes|usted|él|ella|ellos|yo',
    takenBack: 'me (?:he )?equivo\\p{L}*|es una prueba',
    longAgo: 'el año pasado|hace \\p{L}+ años|antigu[oa] (?:propietari[oa]|inquilin[oa])|en su día|en 19\\d\\d',
    moneyBack: 'devuelt[oa]s?|reembols\\p{L}*|reintegr\\p{L}*|devolución',
    replaced:
      'aplazad[oa]s?|reprogramad[oa]s?|sustituid[oa]s?|cambiad[oa]s? (?:al|a|para|por)|en su lugar|nuev[oa] (?:cita|fecha|vuelo|tren|reserva)',
    notDue: 'caduc\\p{L}*|válid[oa]|validez|vigencia|vigente|nacimiento',
    machine: 'servidor\\p{L}*|copia de seguridad|monitorización|base de datos',
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
    generic: `cargado cobrado cargar realizado enviado recogido registrada tramitada concedida expedido confirmado adjunta camino correctamente
      paquete envío pedido factura recibo pago cita reserva contrato documento documentos documentación formulario solicitud cuenta
      suscripción entrega importe saldo cliente clienta referencia código precio cuota tasa suma transferencia tarjeta banco
      servicio equipo mes año vecino punto`,
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
