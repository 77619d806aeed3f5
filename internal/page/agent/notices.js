// Sentences beside a button which say that pressing it is the act, as presses.js has
// them for English: a word for pressing, one for the act, and none that denies it.

const NOTICES = [
  PASSIVE_NOTICE,
  [/klick|dr\u00fcck|bet\u00e4tig|ausw\u00e4hl|antipp/, /abgesendet|abgesandt|absende|abschick|abgeschickt|\u00fcbermitt|eingereicht|einreich|\b(reichen|senden|schicken|stellen|bestellen|unterschreiben|unterzeichnen|zahlen|beauftragen) sie\b|kostenpflichtig|rechtsverbindlich|verbindlich/, /\b(nicht|nichts|noch kein\w*|erst)\b/],
  [/cliqu|appuy|s\u00e9lectionn|en validant|en continuant/, /vous (envoyez|soumettez|transmettez|d\u00e9posez|signez|payez|commandez)|(sera|seront|est|sont) (alors )?(d\u00e9finitivement )?(envoy|transmis|soumis|d\u00e9pos|sign)|pour (envoyer|soumettre|transmettre|d\u00e9poser|signer|payer|commander)/, /\bne\b|\bn'|aucun|rien/],
  [/\bpuls|\bclic|presion|seleccion|al continuar/, /\b(env\u00eda|enviar\u00e1|presenta|presentar\u00e1|firma|firmar\u00e1|paga|pagar\u00e1|tramita|tramitar\u00e1|remite)\b|(se|ser\u00e1|queda|quedar\u00e1) (enviar|enviad|presentar|presentad|tramitar|tramitad|firmad)|para (enviar|presentar|firmar|pagar|tramitar)/, /\b(no|nada|a\u00fan|todav\u00eda)\b/],
  [/klick|tryck|v\u00e4lj/, /skicka(r|s)?\b|l\u00e4mna(r|s)? (du )?in\b|ins\u00e4nd|signera(r|s)?\b|underteckna|best\u00e4ll|betala(r|s)?\b/, /\b(inte|inget|ingenting|\u00e4nnu)\b/],
  [/\u62bc|\u30af\u30ea\u30c3\u30af|\u30bf\u30c3\u30d7|\u9078\u629e/, /(\u9001\u4fe1|\u7533\u8acb|\u63d0\u51fa|\u7533\u3057?\u8fbc\u307f?|\u767b\u9332|\u6ce8\u6587|\u652f\u6255\u3044?|\u6c7a\u6e08|\u78ba\u5b9a|\u53d7\u4ed8)(\u304c|\u306f|\u3092)?(\u3055\u308c|\u3057\u307e\u3059|\u3059\u308b|\u3068\u306a\u308a|\u5b8c\u4e86)/, /\u307e\u305b\u3093|\u306a\u3044|\u307e\u3060/],
  [/clicc|prem|selezion/, /\b(invia|invier\u00e0|presenta|presenter\u00e0|trasmett\w+|firma|paga)\b|(sar\u00e0|viene|verr\u00e0) (inviat|presentat|trasmess)|per (inviare|presentare|firmare|pagare)/, /\bnon\b/],
  [/clicar|clique|clicando|pression|selecion/, /\b(envia|enviar\u00e1|submete|apresenta|assina|paga)\b|(ser\u00e1|\u00e9) (enviad|submetid|apresentad)|para (enviar|submeter|assinar|pagar)/, /\bn\u00e3o\b|ainda/],
  [/klik|druk|selecte/, /verstuur|verzend|verzonden|dient u|ingediend|ondertekent|betaalt|bestelt/, /\b(niet|niets|nog geen)\b/],
];

// AWAY are buttons that lead back, add something or keep a draft, in other languages.
const AWAY = /^\+|hinzuf\u00fcg|ajouter|a\u00f1adir|agregar|l\u00e4gg till|\u8ffd\u52a0|aggiungi|adicionar|toevoegen|^(zur\u00fcck|abbrechen|l\u00f6schen|zwischenspeichern|retour|pr\u00e9c\u00e9dent|annuler|supprimer|volver|atr\u00e1s|anterior|cancelar|borrar|tillbaka|avbryt|ta bort|indietro|annulla|voltar|terug|annuleren)|\u623b\u308b|\u30ad\u30e3\u30f3\u30bb\u30eb|\u4fee\u6b63|\u524a\u9664/;

// sentencesThatAct are those sentences of a folded text that say so.
function sentencesThatAct(words) {
  return words.split(/(?<=[.!?\u3002\uff01\uff1f])\s*/u).map(norm).filter((s) => s.length < 400 && NOTICES.some(([press, act, not]) => press.test(s) && act.test(s) && !not.test(s)));
}

// namedIn are the names that a sentence has in quotes.
const namedIn = (s) => Array.from(s.matchAll(/["\u201e\u00ab]\s?([^"\u00bb]{1,40}?)\s?["\u00bb](?!\p{L})|[\u300c\u300e[]([^\u300d\u300f\]]{1,40})[\u300d\u300f\]]|(?<!\p{L})['\u201a]([^']{1,40})'(?!\p{L})/gu), (m) => norm(m[1] || m[2] || m[3] || '')).filter(Boolean);

// notices are what the page says of single buttons.
function notices(arg) {
  return arg.targets.map((t) => {
    const e = resolve(t, (x) => visible(x)).els[0];
    return e ? noticeOf(e, is(e, 'button,input') ? e.form : closest(e, 'form'), fold(buttonText(e)), new Map()) : '';
  });
}
