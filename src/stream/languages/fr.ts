import type { LanguageTable } from './language-table.ts';

const END = '(?= *(?:$|[.,;:!)\\]–—]| - | (?:et|par|le|ce)(?![\\p{L}\\p{N}])))';
/** The names that money goes by: what has arrived is paid. */
const MONEY = '(?:paiement|règlement|virement|acompte|cotisation|chèque|loyer|somme)';

/** French. */
export const FR: LanguageTable = {
  code: 'fr',
  frames: [
    {
      id: 'a été',
      pattern: '(?:a|ont|avait|avaient) (?:[\\p{L}]+ ){0,2}?été (?:[\\p{L}]+ ){0,2}?W',
      confidence: 0.95,
    },
    { id: 'est', pattern: '(?:est|sont) (?:bien |maintenant |désormais |déjà |enfin )*W', confidence: 0.9 },
    {
      id: 'avons',
      pattern: "(?:avons|ai|a|ont) (?:bien |déjà |enfin )*W (?:le|la|les|l'|votre|vos|notre|nos|cette|ce|mon|ma)",
      confidence: 0.9,
    },
    { id: 'seul', pattern: `W${END}`, confidence: 0.82, bare: true },
  ],
  topics: {
    payment: {
      verbs: 'payer régler règlement paiement',
      forms: [{ words: 'payée?s?|réglée?s?|acquittée?s?', ceiling: 0.95 }],
      phrases: [
        {
          id: 'paiement reçu',
          pattern: '(?:paiement|règlement|virement) (?:a (?:bien )?été |(?:est )?bien )?reçu',
          confidence: 0.96,
        },
        {
          id: 'cotisation arrivée',
          pattern: `${MONEY}(?: [^ ,;.!?]+){0,2}? (?:a (?:bien )?été |(?:est )?(?:bien )?)(?:reçue?|arrivée?)`,
          confidence: 0.93,
        },
        {
          id: 'avons reçu votre paiement',
          pattern: 'avons (?:bien )?reçu (?:votre|le) (?:paiement|règlement|virement)',
          confidence: 0.96,
        },
        {
          id: 'avons reçu la somme',
          pattern: `avons (?:bien )?reçu (?:votre |vos |le |la |l')${MONEY}`,
          confidence: 0.93,
        },
      ],
      spoiltBy: 'rembours\\p{L}*|congés payés',
      doubtedBy: '',
      contradictedBy: 'impayée?s?',
    },
    signature: {
      verbs: 'signer',
      forms: [{ words: 'signée?s?|contresignée?s?', ceiling: 0.95 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: "par (?:le|la|l'|les) ?(?:vendeur|acheteur|acquéreur|bailleur)\\p{L}*",
      contradictedBy: '',
    },
    delivery: {
      verbs: 'livrer livraison',
      forms: [{ words: 'livrée?s?|arrivée?s?|remise?s?', ceiling: 0.94 }],
      phrases: [],
      spoiltBy: 'paiement|virement|acompte|cotisation|boîte|courriel',
      doubtedBy: '',
      contradictedBy: '',
    },
    completion: {
      verbs: 'terminer déposer',
      forms: [{ words: 'terminée?s?|achevée?s?|finalisée?s?|déposée?s?', ceiling: 0.92 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: 'incomplète?',
    },
    approval: {
      verbs: 'approuver',
      forms: [{ words: 'approuvée?s?|validée?s?|acceptée?s?|accordée?s?', ceiling: 0.92 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: 'refusée?s?',
    },
    booking: {
      verbs: 'commander réserver',
      forms: [{ words: 'réservée?s?|commandée?s?', ceiling: 0.91 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: '',
    },
    renewal: {
      verbs: 'renouveler',
      forms: [{ words: 'renouvelée?s?', ceiling: 0.92 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: '',
    },
    cancellation: {
      verbs: 'résilier annuler',
      forms: [{ words: 'annulée?s?|résiliée?s?', ceiling: 0.95 }],
      phrases: [
        {
          id: "n'est plus nécessaire",
          pattern: "n'(?:est|sont) plus (?:nécessaires?|requis|besoin)",
          confidence: 0.92,
          negative: true,
        },
      ],
      spoiltBy: '',
      doubtedBy: 'réservation',
      contradictedBy: 'reportée?s?|un autre (?:rendez-vous|créneau)|maintenue?s?',
    },
    ending: {
      verbs: '',
      forms: [{ words: 'clôturée?s?|clos(?:e|es)?|conclue?s?|classée?s?', ceiling: 0.92 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: '',
    },
    withdrawal: {
      verbs: '',
      forms: [{ words: 'retirée?s?|abandonnée?s?', ceiling: 0.9 }],
      phrases: [],
      spoiltBy: '',
      doubtedBy: '',
      contradictedBy: '',
    },
  },
  affairs: {
    ended: 'terminée?s?|achevée?s?|finalisée?s?|annulée?s?|résiliée?s?',
    affair: 'achat|vente|affaire|projet|procédure|adhésion|abonnement',
    contract: 'contrat|bail|police',
    contractMade: 'conclue?s?|close?s?|clos|finalisée?s?',
    excepted: 'hormis|sauf|excepté|à part|encore|étape',
  },
  dates: [
    {
      id: 'reporté au',
      pattern:
        "(?:reportée?s?|déplacée?s?|décalée?s?|repoussée?s?|avancée?s?|prolongée?s?)(?: (?:du [^;!?]{1,30}? ))? ?(?:au|à|jusqu'au)",
      confidence: 0.94,
    },
    {
      id: 'date limite',
      pattern: '(?:date limite|échéance|nouvelle date|nouveau rendez-vous)(?: est(?: fixée)?| :|:)?',
      confidence: 0.91,
    },
  ],
  requests: [
    {
      id: 'veuillez',
      pattern:
        '(?:veuillez|merci de|prière de) (?:nous |me |bien vouloir )*(?:signer|payer|régler|envoyer|confirmer|retourner|renvoyer|compléter|remplir|transmettre|fournir|vérifier|valider)',
      confidence: 0.85,
    },
    {
      id: 'pourriez-vous',
      pattern:
        "(?:pourriez|pouvez)-vous (?:nous |me |s'il vous plaît )*(?:signer|payer|régler|envoyer|confirmer|retourner|renvoyer|compléter|remplir|transmettre|fournir|vérifier|valider)",
      confidence: 0.85,
    },
    { id: 'avons besoin', pattern: '(?:avons|ai) (?:encore )?besoin de (?:votre|vos)', confidence: 0.85 },
  ],
  cues: {
    questionOpeners: 'est-ce|avez-vous|a-t-(?:il|elle|on)|quand|pourquoi|comment|qui',
    inverted: "(?!rendez-vous)\\p{L}+-(?:t-)?(?:il|elle|elles|ils|on|vous|nous|tu)|est-ce qu(?:e|'\\p{L}+)",
    neutral: "sans faute|n'hésitez pas|ne répondez pas|aucune (?:autre )?action|sans problème",
    negation: "ne|n'\\p{L}+|pas|jamais|aucune?|sans|non|ni",
    condition: "en cas|sinon|si|s'il|s'ils|quand|lorsqu\\p{L}*|dès qu?|une fois|avant|jusqu\\p{L}*|à condition|pourvu",
    conditionBehind: 'si|dès que|sous réserve|à condition',
    conditionForDates: "en cas|si|s'il|à condition",
    ifs: 'si',
    future:
      'sera|seront|serait|seraient|soit|soient|doit|doivent|devra|devrait|peut|pourra|va|vont|à être|bientôt|pour être|afin',
    futureForDates: 'pourrait|pourrions|souhait\\p{L}*|aimer\\p{L}*|devrait',
    futureBehind: '',
    request: 'veuillez(?! (?:noter|trouver))|merci de',
    partial: "jusqu'ici|une partie|seulement|partiellement|en partie|à moitié|presque|sauf",
    stillOpen: 'impayée?s?|en attente',
    hedge:
      'bien sûr|soi-disant|écrit|entendu|peut-être|je pense|je crois|probablement|sans doute|il semble|semble|apparemment|il paraît|selon',
    past: "l'(?:an|année) derni(?:er|ère)",
    goneWrong: 'bloqué\\p{L}*|deux fois|par erreur|endommagée?s?',
    that: "que|qu'\\p{L}+",
    announced: 'signal\\p{L}*|plaisir',
    somebodyElse:
      "une? autre (?:famille|personne|client|cliente|acheteur|locataire|patient|patiente)|quelqu'un d'autre",
    turns: 'mais|cependant|toutefois',
    relative: 'qui|que',
    clauseBreaks: 'mais',
    and: 'et',
    subjects: 'nous|vous|il|on',
    takenBack: 'erreur de ma part|je me suis trompée?|un test',
  },
  spoken: {
    yes: 'oui',
    opening: 'salut|coucou|voilà',
    deeds: {
      payment: { verbs: 'payer régler', words: 'payé|réglé|viré' },
      sending: {
        verbs: 'envoyer renvoyer remettre déposer',
        words: '(?:r?envoyé|transmis|remis|déposé|posté)e?s?',
      },
      signature: { verbs: 'signer', words: 'signée?s?' },
      booking: { verbs: 'réserver commander', words: '(?:réservé|commandé|acheté)e?s?' },
      call: { verbs: 'appeler', words: '(?:appelé|contacté)e?s?' },
    },
    frame: "(?:j'ai|on a|nous avons) (?:déjà |bien |enfin )?(?:~)",
    frameOpensClause: false,
    allDone: "c'est fait",
    requests: [
      {
        id: 'peux-tu',
        pattern:
          "(?:peux-tu|tu peux|pourrais-tu|tu pourrais) (?:me |nous |m'|s'il te plaît |stp )*(?:envoyer|payer|signer|appeler|réserver|acheter|apporter|vérifier|demander)",
        confidence: 0.8,
      },
    ],
  },
  names: {
    small: `le la les un une de du des et ou pour avec au aux en dans sur par ce cet cette ces il elle ils elles nous vous on je
      votre vos notre nos son sa ses mon ma mes leur est sont était ont avait été être bien maintenant désormais déjà enfin
      aujourd hui hier définitivement entièrement officiellement qu que qui merci bonjour madame monsieur confirmons confirmer
      confirme informons informer plaisir avons ai tout toute toutes tous numéro réf effet compter jour deux ci reçu reçue
      reporté reportée janvier février mars avril mai juin juillet août septembre octobre novembre décembre lundi mardi mercredi
      jeudi vendredi samedi dimanche`,
    stop: 'le la les un une de du des et ou pour avec',
    articles: 'le la les un une',
    salutation: 'bonjour|ch[eè]re?',
    several: 'et|ou',
    abbreviations: 'mme|art',
  },
  quoting: {
    originalMessage: "message d['’]origine|message (?:original|transféré)",
    beginForwarded: 'début du message (?:réexpédié|transféré)',
    attributionOpens: 'le',
    wrote: 'a écrit|écrit',
    from: 'de',
    headers: 'envoyé|à|objet',
    sentFrom: 'envoyé de(?:puis)? mon \\S.{0,40}',
    replyMarks: 'tr|réf',
  },
};
