//! Lines are cut into words, and words joined to lines.

/// What stands before the apostrophe of a French elision, besides words in `qu`.
const ELIDED: [&str; 8] = ["c", "d", "j", "l", "m", "n", "s", "t"];
/// What follows an English apostrophe.
const CLITICS: [&str; 6] = ["s", "m", "d", "re", "ve", "ll"];
/// One word each, though they look like elisions.
const WHOLE: [&str; 4] = ["quelqu'un", "quelqu'une", "presqu'île", "presqu'îles"];
/// Abbreviations that keep their dot.
const ABBREVIATIONS: [&str; 10] = ["m", "mm", "mr", "mrs", "ms", "dr", "st", "vs", "etc", "jr"];

/// The words and punctuation marks of a line of English or French, in lower case.
///
/// 1. Curly apostrophes and quotation marks become straight, `…` three dots, special hyphens plain
///    ones; blanks of all kinds, such as the narrow one before a French `!`, separate words.
/// 2. A word is a run of letters and digits. Hyphens and apostrophes between them belong to it
///    (`peut-être`, `aujourd'hui`, `o'clock`), and so do `.`, `,` and `:` between digits (`3.14`,
///    `10:30`), and dots between single letters (`p.m.`).
/// 3. French: the elided word keeps the apostrophe and stands alone, `l'homme` → `l'` `homme`, for
///    c', d', j', l', m', n', s', t' and all that ends in qu', but not for `quelqu'un` and
///    `presqu'île`.
/// 4. English: `n't` and `'s`, `'m`, `'d`, `'re`, `'ve`, `'ll` are words of their own, `don't` →
///    `do` `n't`; `can't` → `ca` `n't`, `won't` → `wo` `n't`, as in the Penn Treebank.
/// 5. A few abbreviations keep their dot: `mr.`, `dr.`, `m.`, `etc.` …
/// 6. A run of dots is one token, a run of hyphens too; any other mark is a token by itself.
///
/// Every rule looks only at what is not separated by a blank yet, so words joined by blanks come
/// out as they are: `tokenize(&words.join(" ")) == words` for all that this function returns.
/// Accents are not composed: text that writes `é` as `e` and a combining accent keeps it in two
/// characters (in one word), and does not match a vocabulary of composed ones. Nearly all text
/// is composed.
///
/// ```
/// use corpora::tokenize;
/// let words = |line| tokenize(line).join(" ");
/// assert_eq!(words("L’homme qu'il a vu aujourd’hui, c'est M. Dupont\u{202f}!"),
///     "l' homme qu' il a vu aujourd'hui , c' est m. dupont !");
/// assert_eq!(words("They don't know: Paul's 3.5 apples (and the dogs') won't do..."),
///     "they do n't know : paul 's 3.5 apples ( and the dogs ' ) wo n't do ...");
/// ```
pub fn tokenize(line: &str) -> Vec<String> {
    let text: String = line.chars().flat_map(plain).collect();
    let mut tokens = Vec::new();
    for piece in text.to_lowercase().split_whitespace() {
        let chars: Vec<char> = piece.chars().collect();
        let mut start = 0;
        while start < chars.len() {
            start += next_tokens(&chars[start..], &mut tokens);
        }
    }
    tokens
}

/// A character as typed on a keyboard. What is invisible goes, what controls a terminal separates.
fn plain(c: char) -> impl Iterator<Item = char> {
    let (c, times) = match c {
        '’' | '‘' | 'ʼ' | '´' | '`' => ('\'', 1),
        '“' | '”' | '„' => ('"', 1),
        '‐' | '\u{2011}' => ('-', 1), // the hyphen, and the one that does not break
        '…' => ('.', 3),
        '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}' => (' ', 0),
        c if c.is_control() => (' ', 1),
        c => (c, 1),
    };
    std::iter::repeat_n(c, times)
}

/// A letter, a digit or a combining accent.
fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || ('\u{300}'..='\u{36f}').contains(&c)
}

/// Puts the first word (its parts) or mark of `chars` to the tokens; returns how many characters
/// it took.
fn next_tokens(chars: &[char], tokens: &mut Vec<String>) -> usize {
    let mut lengths = vec![1];
    match chars[0] {
        c if is_letter(c) => return word(chars, tokens),
        c @ ('.' | '-') => lengths[0] = chars.iter().take_while(|d| **d == c).count(),
        '\'' => lengths = clitics(chars).unwrap_or(lengths),
        _ => {}
    }
    let mut end = 0;
    for length in lengths {
        tokens.push(chars[end..end + length].iter().collect());
        end += length;
    }
    end
}

/// The lengths of the English clitics that stand here, when nothing but clitics do.
fn clitics(chars: &[char]) -> Option<Vec<usize>> {
    let mut lengths = Vec::new();
    let mut rest = chars;
    while let ['\'', first, ..] = rest
        && is_letter(*first)
    {
        let length = 1 + rest[1..].iter().take_while(|c| is_letter(**c)).count();
        let body: String = rest[1..length].iter().collect();
        if !CLITICS.contains(&body.as_str()) {
            return None;
        }
        lengths.push(length);
        rest = &rest[length..];
    }
    let goes_on = matches!(rest, ['-', next, ..] if is_letter(*next));
    (!lengths.is_empty() && !goes_on).then_some(lengths)
}

/// Puts a word in its parts to the tokens; returns how many characters it took.
fn word(chars: &[char], tokens: &mut Vec<String>) -> usize {
    let (mut end, dotted) = run(chars);
    let letters: String = chars[..end].iter().collect();
    let mut parts = parts(&letters);
    let last = parts.last_mut().expect("a run is not empty");
    let next = |place: usize| chars.get(place).copied();
    if next(end) == Some('.')
        && next(end + 1) != Some('.')
        && (dotted || ABBREVIATIONS.contains(&last.as_str()))
    {
        last.push('.');
        end += 1;
    } else if next(end) == Some('\'') && is_elided(last) {
        last.push('\'');
        end += 1;
    }
    tokens.append(&mut parts);
    end
}

/// The length of the run of letters, with what connects them, and whether it ends in letters with
/// dots between them.
fn run(chars: &[char]) -> (usize, bool) {
    let single = |place: usize| {
        let is_letter = |place: usize| chars.get(place).is_some_and(|c| is_letter(*c));
        chars[place].is_alphabetic()
            && !is_letter(place + 1)
            && (place == 0 || !is_letter(place - 1))
    };
    let mut dotted = false;
    let mut place = 1;
    while place < chars.len() {
        let connector = chars[place];
        if is_letter(connector) {
            place += 1;
            continue;
        }
        let (before, after) = (chars[place - 1], chars.get(place + 1).copied().unwrap_or(' '));
        let dots = connector == '.' && single(place - 1) && is_letter(after) && single(place + 1);
        let connects = match connector {
            '\'' | '-' => is_letter(after),
            '.' | ',' | ':' => dots || (before.is_numeric() && after.is_numeric()),
            _ => false,
        };
        if !connects {
            break;
        }
        dotted = dots;
        place += 2;
    }
    (place, dotted)
}

/// Cuts elisions off the front of a word and clitics off its end.
pub(crate) fn parts(word: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut rest = word;
    while let Some((first, others)) = rest.split_once('\'')
        && is_elided(first)
        && rest != "n't"
        && !WHOLE.contains(&rest)
    {
        parts.push(format!("{first}'"));
        rest = others;
    }
    let mut ends = Vec::new();
    while let Some(cut) = clitic_place(rest) {
        ends.push(rest[cut..].to_owned());
        rest = &rest[..cut];
    }
    parts.push(rest.to_owned());
    parts.extend(ends.into_iter().rev());
    parts
}

/// Where the English clitic at the end of a word begins; something must be left before it.
fn clitic_place(word: &str) -> Option<usize> {
    let cut = match word.strip_suffix("n't") {
        Some(stem) => stem.len(),
        None => {
            let apostrophe = word.rfind('\'')?;
            CLITICS.contains(&&word[apostrophe + 1..]).then_some(apostrophe)?
        }
    };
    word[..cut].ends_with(is_letter).then_some(cut)
}

fn is_elided(word: &str) -> bool {
    ELIDED.contains(&word)
        || word.strip_suffix("qu").is_some_and(|stem| stem.chars().all(is_letter))
}

/// Words as a sentence to show: blanks where they belong, everything else as it is.
///
/// Marks are set as in English, without a blank before `!`, `?`, `;` and `:`, which some French
/// typography has; inside guillemets stand blanks that do not break. Quotation marks open and close
/// in turn; an apostrophe after an s, outside quotes, is a plural's possessive.
///
/// ```
/// use corpora::{detokenize, tokenize};
/// let words = |line: &str| -> Vec<String> { line.split(' ').map(str::to_owned).collect() };
/// assert_eq!(detokenize(&words("l' homme qu' elle voit , c' est paul .")),
///     "l'homme qu'elle voit, c'est paul.");
/// assert_eq!(detokenize(&words("she does n't see the dogs ' \" home \" ( it 's red ) !")),
///     "she doesn't see the dogs' \"home\" (it's red)!");
/// ```
pub fn detokenize(words: &[String]) -> String {
    let mut text = String::new();
    let mut open = Vec::new(); // quotation marks that wait for their second half
    let mut glue = true; // whether the next word follows without a blank
    for word in words {
        let closes = open.contains(&word.as_str());
        let possessive = word == "'" && !closes && text.ends_with('s') && !glue;
        let another_dot = text.ends_with('.') && word.starts_with('.');
        let leans = leans_left(word) && !another_dot;
        if !(glue || closes || possessive || leans) {
            text.push(if word == "»" { '\u{a0}' } else { ' ' });
        }
        text.push_str(word);
        glue = leans_right(word);
        match word.as_str() {
            "«" => text.push('\u{a0}'),
            "\"" | "'" if closes => open.retain(|mark| mark != word),
            "\"" | "'" if !possessive => {
                open.push(word);
                glue = true;
            }
            _ => {}
        }
    }
    text
}

/// Whether no blank stands before it.
fn leans_left(word: &str) -> bool {
    matches!(word, "." | "," | "!" | "?" | ";" | ":" | ")" | "]" | "}" | "..." | "n't")
        || word.strip_prefix('\'').is_some_and(|clitic| CLITICS.contains(&clitic))
}

/// Whether no further blank stands after it.
fn leans_right(word: &str) -> bool {
    matches!(word, "(" | "[" | "{" | "«") || word.strip_suffix('\'').is_some_and(is_elided)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_its_examples() {
        let cases = [
            ("", ""),
            (" \t\u{a0}\u{202f}\u{feff} ", ""),
            ("C’est l‘été : « Où ? »", "c' est l' été : « où ? »"),
            ("d'aujourd'hui, quelqu'un qu’on", "d' aujourd'hui , quelqu'un qu' on"),
            ("Jusqu'à ce que j't'aie", "jusqu' à ce que j' t' aie"),
            ("presqu'île, presqu'autant", "presqu'île , presqu' autant"),
            ("Est-ce l'arc-en-ciel?", "est-ce l' arc-en-ciel ?"),
            ("Va-t'en, entr'ouvert; prud'homme", "va-t'en , entr'ouvert ; prud'homme"),
            ("n't don't DON'T Didn’t", "n't do n't do n't did n't"),
            ("couldn't've I'd've", "could n't 've i 'd 've"),
            ("Paul's l'homme's dogs' 's", "paul 's l' homme 's dogs ' 's"),
            (
                "O'Brien, ma'am, rock'n'roll at 5 o'clock",
                "o'brien , ma'am , rock'n'roll at 5 o'clock",
            ),
            ("'Tom' said 'd'accord' 'sup", "' tom ' said ' d' accord ' ' sup"),
            ("3.14 2,5 10:30 -5 .5 50% 1 000", "3.14 2,5 10:30 - 5 . 5 50 % 1 000"),
            (
                "Mr. and M. at 5 p.m. etc... e.g.: end.Next",
                "mr. and m. at 5 p.m. etc ... e.g. : end . next",
            ),
            ("I am.  Plan B. I'm.", "i am . plan b . i 'm ."),
            ("Wait… what?! no -- yes–no", "wait ... what ? ! no -- yes – no"),
            ("“a/b” <unk> \u{7}bell co\u{ad}op", "\" a / b \" < unk > bell coop"),
            ("e\u{301}te\u{301} été", "e\u{301}te\u{301} été"),
            ("İÇ ΑΣ ẞ", "i\u{307}ç ας ß"),
        ];
        for (line, words) in cases {
            assert_eq!(tokenize(line).join(" "), words, "{line}");
            assert_eq!(tokenize(words).join(" "), words, "again {line}");
        }
    }

    #[test]
    fn what_is_shown_has_its_blanks_in_place() {
        let cases = [
            ("", ""),
            ("« l' eau » , dit-il", "«\u{a0}l'eau\u{a0}», dit-il"),
            ("' tom ' and ' ann '", "'tom' and 'ann'"),
            ("the boys ' dog", "the boys' dog"),
            ("' the boys ' dog", "'the boys' dog"),
            ("do n't [ i 'd 've ] ; a - b", "don't [i'd've]; a - b"),
        ];
        for (words, text) in cases {
            let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
            assert_eq!(detokenize(&words), text);
            assert_eq!(tokenize(text), words);
        }
    }
}
