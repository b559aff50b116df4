import type { LanguageTable } from './language-table.ts';

const END = '(?= *(?:$|[.,;:!)\\]–—]| - | (?:et|par|le|ce)(?![\\p{L}\\p{N}])))';
/** The names that money goes by: what has arrived is paid. */
const MONEY = '(?:paiement|règlement|virement|acompte|cotisation|chèque|loyer|somme)';

/** A sum of money, as notifications write it. */
const AMOUNT = '(?:[€£$] ?\\p{Nd}[\\p{Nd}.,]{0,15}|\\p{Nd}[\\p{Nd}.,]{0,15} ?(?:€|euros?|eur|chf)(?!\\p{L}))';
/** A few words of the subject between its noun and its verb. */
const FEW = '(?: [^ ,;.!?]+(?:[.,]\\p{Nd}+)*){0,5}?';
/** "A été", with what stands between. */
const WAS = '(?:a|ont|est|sont) (?:bien |déjà |maintenant )?(?:été )?(?:bien |automatiquement |correctement )?';
const DEAL = '(?:compte|abonnement|contrat|adhésion|souscription|bail)';
const OCCASION =
  '(?:train|vol|réunion|concert|cours|séance|spectacle|rendez-vous|trajet|événement|sortie|entraînement)';

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
      forms: [
        { words: 'payée?s?|réglée?s?|acquittée?s?', ceiling: 0.95 },
        { words: 'soldée?s?', ceiling: 0.88 },
      ],
      phrases: [
        {
          id: 'prélevé',
          pattern: `(?:avons|a) (?:bien )?prélevé(?: [^ ;!?]+){0,3}? ${AMOUNT}|(?:facture|cotisation|montant|mensualité|loyer|échéance|${AMOUNT})${FEW} ${WAS}prélevée?s?|prélèvement${FEW} ${WAS}(?:effectué|réalisé|exécuté)`,
          confidence: 0.89,
        },
        {
          id: 'vous avez payé',
          pattern: `vous avez (?:payé|envoyé|réglé) (?:un paiement de )?${AMOUNT}`,
          confidence: 0.89,
        },
        {
          id: 'merci pour votre paiement',
          pattern: '(?:merci|remercions) (?:pour|de) (?:votre|ton) (?:paiement|règlement|virement)',
          confidence: 0.89,
        },
        { id: 'confirmation de paiement', pattern: '(?:confirmation|reçu) de (?:votre )?paiement', confidence: 0.84 },
        {
          id: 'paiement accepté',
          pattern: `(?:paiement|règlement|virement)${FEW} ${WAS}(?:accepté|enregistré|effectué|exécuté|validé|confirmé|encaissé|traité)`,
          confidence: 0.92,
        },
        { id: 'carte débitée', pattern: `(?:carte|compte)${FEW} ${WAS}débitée?`, confidence: 0.89 },
        {
          id: 'rien à payer',
          pattern: "aucune somme n'est due|compte est (?:désormais |maintenant )?(?:à jour|soldé)",
          confidence: 0.84,
          negative: true,
        },
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
      spoiltBy: 'rembours\\p{L}*|congés payés|recrédité\\p{L}*|restitué\\p{L}*|rendue?s?',
      doubtedBy: 'acompte sur',
      contradictedBy: 'impayée?s?|paiement (?:a été )?(?:refusé|rejeté|échoué)|en attente de paiement|reste à payer',
    },
    signature: {
      verbs: 'signer signature',
      forms: [{ words: 'signée?s?|contresignée?s?', ceiling: 0.95 }],
      phrases: [
        {
          id: 'tous ont signé',
          pattern: `(?:tous|toutes les parties|les deux parties|chacun)${FEW} (?:ont|a) (?:bien )?signé`,
          confidence: 0.95,
        },
      ],
      spoiltBy:
        '(?:partie adverse|autre partie|vendeur\\p{L}*|vendeuse|acheteur\\p{L}*|acquéreur\\p{L}*|bailleur\\p{L}*|locataire|propriétaire) (?:a|ont|avait|avaient)(?! tous)|\\b(?:une?|\\p{Nd}) (?:signataire|signature|partie)s? sur (?:deux|trois|quatre|\\p{Nd})',
      doubtedBy: "par (?:le|la|l'|les) ?(?:vendeur|acheteur|acquéreur|bailleur)\\p{L}*",
      contradictedBy: 'non signée?s?|signature manquante|reste à signer',
    },
    delivery: {
      verbs: 'livrer livraison recevoir retirer récupérer renvoyer envoyer',
      forms: [{ words: 'livrée?s?|arrivée?s?|remise?s?', ceiling: 0.94 }],
      phrases: [
        {
          id: 'colis remis',
          pattern: `(?:colis|paquet|commande|envoi)${FEW} ${WAS}(?:déposée?|distribuée?|retirée?|récupérée?|remise?)`,
          confidence: 0.92,
        },
        { id: 'retour reçu', pattern: 'reçu (?:votre|le) (?:retour|colis|paquet)', confidence: 0.88, onlyAsked: true },
      ],
      spoiltBy: 'paiement|virement|acompte|cotisation|boîte (?:mail|e-mail|de réception)|courriel',
      doubtedBy: '',
      contradictedBy: "n'a pas pu être livrée?|absence|retardée?|retourné à l'expéditeur",
    },
    completion: {
      verbs: 'terminer déposer demander inscrire remplir déclarer envoyer soumettre finir',
      forms: [{ words: 'terminée?s?|achevée?s?|finalisée?s?|déposée?s?', ceiling: 0.92 }],
      phrases: [
        {
          id: 'avons reçu votre demande',
          pattern:
            'reçu (?:votre|la) (?:[\\p{L}]+ )?(?:demande|dossier|déclaration|inscription|candidature|formulaire|documents?|réclamation)',
          confidence: 0.9,
          onlyAsked: true,
        },
        {
          id: 'demande enregistrée',
          pattern: `(?:demande|déclaration|dossier|changement d'adresse|relevé|inscription|modification|candidature)${FEW} ${WAS}(?:enregistrée?|transmise?|prise? en compte|validée?|traitée?|reçue?)`,
          confidence: 0.9,
        },
        { id: 'dossier complet', pattern: 'dossier est (?:désormais |maintenant )?complet', confidence: 0.86 },
      ],
      spoiltBy:
        'colis|paquet|à moitié terminée?|presque terminée?|\\d+ ?% (?:terminée?|achevée?)|résiliation|remboursement|annulation',
      doubtedBy: '',
      contradictedBy: 'incomplète?',
    },
    approval: {
      verbs: 'approuver accepter valider obtenir',
      forms: [{ words: 'approuvée?s?|validée?s?|acceptée?s?|accordée?s?', ceiling: 0.92 }],
      phrases: [
        { id: 'place accordée', pattern: '(?:accorder|attribuer|proposer|offrir) (?:une|la) place', confidence: 0.84 },
        {
          id: 'visa délivré',
          pattern: `(?:visa|passeport|permis|attestation|certificat)${FEW} ${WAS}délivrée?`,
          confidence: 0.92,
        },
      ],
      spoiltBy: 'pré-?approuvée?|sous réserve',
      doubtedBy: '',
      contradictedBy: 'refusée?s?',
    },
    booking: {
      verbs: 'commander réserver acheter prendre',
      forms: [
        { words: 'réservée?s?|commandée?s?', ceiling: 0.91 },
        { words: 'expédiée?s?', ceiling: 0.88, onlyAsked: true },
      ],
      phrases: [
        {
          id: 'réservation confirmée',
          pattern: `(?:réservation|commande|séjour|billets?|table|chambre|achat)${FEW} ${WAS}confirmée?s?`,
          confidence: 0.92,
        },
        {
          id: 'rendez-vous confirmé',
          pattern: `(?:rendez-vous|visite|consultation)${FEW} ${WAS}confirmée?s?`,
          confidence: 0.9,
          onlyAsked: true,
        },
        {
          id: 'confirmation de réservation',
          pattern: 'confirmation de (?:votre )?(?:réservation|commande)',
          confidence: 0.84,
        },
        { id: 'avons confirmé', pattern: 'avons confirmé votre (?:réservation|commande|séjour)', confidence: 0.92 },
        {
          id: 'merci pour votre commande',
          pattern: '(?:merci|remercions) (?:pour|de) (?:votre|ta) (?:commande|réservation)',
          confidence: 0.86,
          onlyAsked: true,
        },
        {
          id: 'en route',
          pattern: `(?:colis|commande|paquet)${FEW} est (?:désormais )?en (?:route|chemin|cours de livraison)`,
          confidence: 0.86,
          onlyAsked: true,
        },
        {
          id: 'billet joint',
          pattern: 'billets?(?: électroniques?)? (?:est|sont) (?:joints?|disponibles?|en pièce jointe)',
          confidence: 0.86,
        },
      ],
      spoiltBy: 'complet|droits réservés|réservée?s? aux?',
      doubtedBy: '',
      contradictedBy: 'réservation (?:a été )?(?:annulée|refusée)|épuisée?s?|plus disponible',
    },
    renewal: {
      verbs: 'renouveler renouvellement prolonger reconduire',
      forms: [{ words: 'renouvelée?s?', ceiling: 0.92 }],
      phrases: [
        {
          id: 'reconduit',
          pattern: `(?:contrat|abonnement|adhésion|police|bail)${FEW} ${WAS}(?:reconduite?|prolongée?|renouvelée?)`,
          confidence: 0.92,
        },
      ],
      spoiltBy: 'intérêt renouvelé|confiance renouvelée',
      doubtedBy: '',
      contradictedBy: 'a expiré|expirée?',
    },
    cancellation: {
      verbs: 'résilier annuler résiliation clôturer fermer arrêter',
      forms: [{ words: 'annulée?s?|résiliée?s?', ceiling: 0.95 }],
      phrases: [
        {
          id: 'confirmons la résiliation',
          pattern: `(?:confirmons|confirme) (?:la|votre|l')(?: bonne réception de votre)? ?(?:demande de )?(?:résiliation|annulation)|confirmation (?:de (?:la |votre )?résiliation|d'annulation)|(?:demande de )?résiliation${FEW} ${WAS}(?:prise? en compte|enregistrée?|effectuée?|validée?)`,
          confidence: 0.89,
        },
        {
          id: 'compte clôturé',
          pattern: `${DEAL}${FEW} (?:${WAS}(?:clôturée?|fermée?|supprimée?)|a pris fin)|avons (?:clôturé|fermé|supprimé|résilié) (?:votre|le) ${DEAL}`,
          confidence: 0.91,
        },
        {
          id: "n'aura pas lieu",
          pattern:
            "(?:n'aura|n'auront|n'a|n'ont) (?:finalement |malheureusement )?pas lieu|ne se tiendra (?:finalement )?pas",
          confidence: 0.92,
          negative: true,
        },
        { id: 'supprimé', pattern: `${OCCASION}${FEW} ${WAS}(?:supprimée?s?)`, confidence: 0.92 },
        {
          id: "n'est plus nécessaire",
          pattern: "n'(?:est|sont) plus (?:nécessaires?|requis|besoin)",
          confidence: 0.92,
          negative: true,
        },
      ],
      spoiltBy: '(?:paiement|prélèvement|virement|rappel)[^.;]{0,60}annulée?|frais annulés|chèque annulé',
      doubtedBy: 'réservation',
      contradictedBy: 'reportée?s?|un autre (?:rendez-vous|créneau)|maintenue?s?',
    },
    ending: {
      verbs: '',
      forms: [{ words: 'clôturée?s?|clos(?:e|es)?|conclue?s?|classée?s?', ceiling: 0.92 }],
      phrases: [],
      spoiltBy: 'fermée? (?:le|du|jusqu|pour)|offre close',
      doubtedBy: '',
      contradictedBy: 'rouverte?',
    },
    withdrawal: {
      verbs: '',
      forms: [{ words: 'retirée?s?|abandonnée?s?', ceiling: 0.9 }],
      phrases: [],
      spoiltBy: 'retirée?s? (?:au|en) (?:guichet|magasin|point relais)|argent retiré',
      doubtedBy: '',
      contradictedBy: 'rétablie?s?',
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
        "(?:reportée?s?|reprogrammée?s?|replanifiée?s?|déplacée?s?|décalée?s?|repoussée?s?|avancée?s?|prolongée?s?)(?: (?:du [^;!?]{1,30}? ))? ?(?:au|à|jusqu'au)",
      confidence: 0.94,
    },
    {
      id: 'date limite',
      pattern:
        '(?:date limite|échéance|nouvelle date|nouveau rendez-vous)(?: de (?:livraison|rendez-vous|visite|réunion))?(?: est(?: fixée)?| :|:)?',
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
    condition:
      "étape \\p{Nd}|en cas|sinon|si|s'il|s'ils|quand|lorsqu\\p{L}*|dès qu?|une fois|avant|jusqu\\p{L}*|à condition|pourvu",
    conditionBehind: 'si|dès que|sous réserve|à condition',
    conditionForDates: "en cas|si|s'il|à condition",
    ifs: 'si',
    future:
      'sera|seront|serait|seraient|soit|soient|doit|doivent|devra|devrait|peut|pourra|va|vont|à être|bientôt|pour être|afin',
    futureForDates: 'pourrait|pourrions|souhait\\p{L}*|aimer\\p{L}*|devrait',
    futureBehind: 'prochainement|bientôt',
    request: 'veuillez(?! (?:noter|trouver))|merci de',
    partial: "jusqu'ici|une partie|seulement|partiellement|en partie|à moitié|presque|sauf",
    stillOpen: 'impayée?s?|en attente',
    hedge:
      'bien sûr|soi-disant|écrit|entendu|peut-être|je pense|je crois|probablement|sans doute|il semble|semble|apparemment|il paraît|selon',
    past: 'le mois derni(?:er)|précédente?s?',
    goneWrong: 'bloqué\\p{L}*|deux fois|par erreur|endommagée?s?',
    that: "que|qu'\\p{L}+",
    announced: 'signal\\p{L}*|plaisir|confirm\\p{L}*|inform\\p{L}*',
    somebodyElse:
      "une? autre (?:famille|personne|client|cliente|acheteur|locataire|patient|patiente)|quelqu'un d'autre|(?:\\p{N}[\\p{N}.]{0,12}|beaucoup de|plusieurs|certain[es]s?|la plupart des|d'autres|quelques) (?:[^ ,;.!?]+ ){0,2}?(?:familles|parents|membres|clients|clientes|participants|voisins|collègues|locataires|foyers|personnes|élèves|joueurs) (?:ont|avaient|sont)",
    turns: 'mais|cependant|toutefois',
    relative: 'qui|que',
    clauseBreaks: 'mais',
    and: 'et',
    subjects: 'nous|vous|il|on',
    takenBack: 'erreur de ma part|je me suis trompée?|un test',
    longAgo:
      "l'(?:an|année) derni(?:er|ère)|il y a \\p{L}+ ans|autrefois|à l'époque|ancien(?:ne)? (?:propriétaire|locataire)|en 19\\d\\d",
    moneyBack: 'rembours\\p{L}*|restitué\\p{L}*|recrédité\\p{L}*|avoir de',
    replaced:
      'reportée?s?|reprogrammée?s?|remplacée?s?|déplacée?s?|à la place|nouveau (?:rendez-vous|vol|train|créneau)|nouvelle (?:date|réservation)',
    notDue: 'expir\\p{L}*|valable|validité|valide|née?',
    machine: 'serveurs?|sauvegarde|supervision|base de données',
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
    generic: `prélevé débité envoyé expédié expédiée distribué déposé retiré enregistré enregistrée transmise accepté validé délivré confirmé joint route aucune
      colis paquet commande facture paiement règlement rendez-vous réservation contrat document documents dossier formulaire demande
      compte abonnement adhésion livraison montant solde client cliente référence code prix frais somme virement prélèvement
      carte banque reçu service équipe ligne mois année voisin boîte lettres point relais`,
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
