// Words of forms in the languages that public forms are written in, beside English:
// what must be answered, and how a date is written. Names of date fields and the
// order of their parts are those of the Unicode CLDR.

// NEEDED and FREE are the marks beside a question, in brackets, behind a dash or on
// their own. Those of BARE_NEEDED and BARE_FREE are marks behind a bare space too:
// others can be words of the question there, as in "Assurance obligatoire".
const NEEDED = 'required|mandatory|必須(?:項目)?|必ず入力|入力必須|erforderlich|pflichtfeld|pflichtangabe|obligatoire|requis|obligatori[oa]|obrigat[óo]ri[oa]|obbligatori[oa]|verplicht|obligatorisk[at]?|påkræve[dt]|påkrevd|pakollinen|pakolliset|wymagan[aey]|obowiązkow[aey]|必填|必选|필수';
const FREE = 'optional|任意(?:項目)?|freiwillig|facultati(?:f|ve)|optionnel(?:le)?|opcional|facoltativ[oa]|optioneel|frivillig[at]?|valfri[at]?|valfritt|valgfri(?:tt)?|vapaaehtoinen|opcjonaln[aey]|nieobowiązkow[aey]|选填|可选|선택';
const BARE_NEEDED = 'required|必須(?:項目)?|pflichtfeld|pflichtangabe|必填|필수';
const BARE_FREE = 'optional|任意(?:項目)?|选填|선택';
const OPENS = '[(\\[\\uff08\\u3010\\u3014\\uff3b\\u300c]';
const SHUTS = '[)\\]\\uff09\\u3011\\u3015\\uff3d\\u300d]';
const DASHES = '[*\\uff0a\\u203b:|,\\u2013\\u2014-]';
const markOf = (words, bare) => new RegExp(OPENS + '\\s*(?:' + words + ')\\s*' + SHUTS + '|(?:^|' + DASHES + '\\s*)(?:' + words + ')\\s*$|\\s(?:' + bare + ')\\s*$|^(?:' + bare + ')(?<!required|optional)\\s', 'iu');
const NEEDED_MARK = markOf(NEEDED, BARE_NEEDED);
const FREE_MARK = markOf(FREE, BARE_FREE);

// LEADING_MARK and TRAILING_MARK are no words of the question.
const LEADING_MARK = new RegExp('^(?:' + OPENS + '\\s*(?:' + NEEDED + '|' + FREE + ')\\s*' + SHUTS + '|(?:必須|任意|必填|选填|필수|선택)(?=\\s))\\s*', 'iu');
const TRAILING_MARK = new RegExp('\\s*(?:' + OPENS + '\\s*(?:' + NEEDED + '|' + FREE + ')\\s*' + SHUTS + '|' + DASHES + '\\s*(?:' + NEEDED + '|' + FREE + ')|\\s(?:必須(?:項目)?|任意(?:項目)?|必填|选填|필수|선택|pflichtfeld|pflichtangabe))\\s*$', 'iu');

// A date as it is asked for: the letters of its day, month and year in English,
// German, French, Spanish, Portuguese, Italian and Dutch, and in Japanese.
const DAY_LETTERS = 'd{1,2}|t{1,2}|j{1,2}|g{1,2}';
const YEAR_LETTERS = 'y{4}|j{4}|a{4}|r{4}|y{2}';
const BETWEEN = '\\s?[-/. ]\\s?';
const DATE_MASK = new RegExp('(?<![\\p{L}\\p{N}])(?:' + ['(' + DAY_LETTERS + ')' + BETWEEN + '(m{1,3})' + BETWEEN + '(' + YEAR_LETTERS + ')', '(m{1,3})' + BETWEEN + '(d{1,2})' + BETWEEN + '(y{4}|y{2})', '(y{4}|j{4}|a{4})' + BETWEEN + '(m{1,3})' + BETWEEN + '(' + DAY_LETTERS + ')'].join('|') + ')(?![\\p{L}\\p{N}])', 'iu');
const JAPANESE_MASK = /y{4}\s?[年/]\s?m{1,2}\s?[月/]\s?d{1,2}\s?日?/i;
const DATE_EXAMPLE = /(?<![\d/.-])(?:((?:19|20)\d\d)([-/.])(\d{1,2})\2(\d{1,2})|(\d{1,2})([-/.])(\d{1,2})\6((?:19|20)\d\d))(?![\d/.-])/;

// dateMask reads how a text writes dates, in English letters: 'DD.MM.YYYY' for
// 'TT.MM.JJJJ'; '' when it does not say.
function dateMask(s) {
  const text = String(s || '');
  let m = DATE_MASK.exec(text);
  if (m) {
    const letters = m[1] ? 'DMY' : m[4] ? 'MDY' : 'YMD';
    let i = 0;
    return m[0].replace(/\s*([-/.])\s*/g, '$1').replace(/\p{L}+/gu, (part) => letters[i++].repeat(part.length));
  }
  m = JAPANESE_MASK.exec(text);
  return m ? m[0].toUpperCase().replace(/\s/g, '') : '';
}

// maskOfExample is the mask of an example date, '' when its day and month could be
// taken for each other.
function maskOfExample(s) {
  const m = DATE_EXAMPLE.exec(String(s || ''));
  if (!m) return '';
  if (m[1]) return ['YYYY', 'M'.repeat(m[3].length), 'D'.repeat(m[4].length)].join(m[2]);
  const [day, month] = [m[5], m[7]];
  if (m[6] === '.' || +day > 12) return ['D'.repeat(day.length), 'M'.repeat(month.length), 'YYYY'].join(m[6]);
  return +month > 12 ? ['M'.repeat(day.length), 'D'.repeat(month.length), 'YYYY'].join(m[6]) : '';
}

// localMask is how the language of the page writes dates.
function localMask(e) {
  const holder = closest(e, '[lang]');
  const lang = fold(holder ? attr(holder, 'lang') : '');
  if (/^(de|pl|cs|sk|fi|nb|nn|no|da|tr|ru|uk|ro|hr|et|lv|is|bg)\b/.test(lang)) return 'DD.MM.YYYY';
  if (/^(fr|es|it|pt|el|vi|id|ms|ga|cy|mi)\b/.test(lang) && lang !== 'fr-ca' || /^en-(gb|au|nz|ie|in|za)\b/.test(lang)) return 'DD/MM/YYYY';
  if (/^nl\b/.test(lang)) return 'DD-MM-YYYY';
  if (/^(ja|zh)\b/.test(lang)) return 'YYYY/MM/DD';
  if (/^(sv|lt|hu|ko|fr-ca)\b/.test(lang)) return 'YYYY-MM-DD';
  return 'MM/DD/YYYY';
}

// DATE_WORDS are questions for a day, in words that mean nothing else.
const DATE_WORDS = /geburtsdatum|geburtstag|\bdatum\b|\bdate de\b|\bfecha\b|\bdata (di|de|do|da)\b|geboortedatum|生年月日|年月日|日付|希望日|予定日|出生日期|생년월일/;
