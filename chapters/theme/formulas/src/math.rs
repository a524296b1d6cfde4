//! TeX to MathML Core, by the `math-core` crate, and what browsers still need besides.

use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};

/// `$…$`, to stand in a line of Markdown.
pub fn inline(tex: &str) -> Result<String, String> {
    Ok(shielded(&mathml(tex, MathDisplay::Inline)?))
}

/// `$$…$$`, centred on its own line; the style sheet lets a long one scroll on a narrow screen.
pub fn display(tex: &str) -> Result<String, String> {
    let mathml = shielded(&mathml(tex, MathDisplay::Block)?);
    Ok(format!("<span class=\"display\">{mathml}</span>"))
}

/// Text as HTML that shows it as it is, and that no Markdown parser changes.
pub fn literal(text: &str) -> String {
    shielded(&text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"))
}

/// The MathML of a formula, or one line that quotes the formula and says what is wrong with it.
pub fn mathml(tex: &str, display: MathDisplay) -> Result<String, String> {
    let quoted = || tex.split_whitespace().collect::<Vec<_>>().join(" ");
    if tex.replace(r"\$", "").contains('$') {
        return Err(format!("formula `{}`: a formula cannot hold another in its \\text", quoted()));
    }
    if tex.contains("<!--") {
        return Err(format!("formula `{}`: a mark stands after the closing dollar", quoted()));
    }
    let converter = LatexToMathML::new(MathCoreConfig::default()).expect("no macros to misread");
    // A code host reads Markdown first: of two backslashes it leaves one, and two `_` may be emphasis.
    let tex_here = tex.replace(r"\cr", r"\\").replace(r"\sb", "_");
    match converter.convert_with_local_state(&tex_here, display) {
        Ok(result) if !result.warnings.has_any() => Ok(operators(&result.mathml)),
        Ok(_) => Err(format!("formula `{}`: refers to an equation that is not there", quoted())),
        Err(error) => Err(format!("formula `{}`: {error}", quoted())),
    }
}

/// Gives some operators a class, for `math.css` to correct what browsers do with them.
///
/// - Chromium and Safari do not take a font's script-size forms. A prime's full-size form is
///   already small and high: put in a superscript it becomes a speck.
/// - Chromium gives every parenthesis that may stretch the width of the widest one in the font.
/// - It does not stretch a parenthesis that is itself the base of a superscript, as in `\bigr)^2`.
/// - A combining arrow, which stands for `\vec`, is drawn beside its letter.
fn operators(mathml: &str) -> String {
    let mut out = String::with_capacity(mathml.len());
    let mut rest = mathml;
    while let Some(start) = rest.find("<mo").filter(|_| rest.contains("</mo>")) {
        let (before, from_tag) = rest.split_at(start);
        out += before;
        // `<mover>` and `<mo>` begin alike.
        if !from_tag.starts_with("<mo>") && !from_tag.starts_with("<mo ") {
            out += "<mo";
            rest = &from_tag[3..];
            continue;
        }
        let (operator, after) = from_tag.split_once("</mo>").expect("an operator ends");
        let (tag, symbol) = operator.split_once('>').expect("a tag ends");
        let attributes = &tag[3..];
        let stretches = !attributes.contains("stretchy=\"false\"");
        let (class, symbol) = match symbol {
            "′" | "″" | "‴" => ("prime", symbol),
            "\u{20d7}" => ("vector", "→"),
            "(" | ")" | "[" | "]" | "{" | "}" if stretches => ("fence", symbol),
            _ => ("", symbol),
        };
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let is_base = ["<msub>", "<msup>", "<msubsup>"].iter().any(|tag| out.ends_with(tag));
        let operator = format!("<mo{class}{attributes}>{symbol}</mo>");
        out += &if is_base { format!("<mrow>{operator}</mrow>") } else { operator };
        rest = after;
    }
    out + rest
}

/// Writes punctuation outside tags as character references.
///
/// mdBook parses the page once more, and takes HTML inside a paragraph tag by tag: without this the
/// `*` and `_` between two tags would be Markdown again.
fn shielded(html: &str) -> String {
    let mut out = String::with_capacity(2 * html.len());
    let mut in_tag = false;
    let mut in_reference = false;
    for c in html.chars() {
        match c {
            '<' => in_tag = true,
            '>' => in_tag = false,
            '&' => in_reference = true,
            ';' if in_reference => in_reference = false,
            '\n' => {
                out.push(' '); // an empty line would end the paragraph
                continue;
            }
            c if c.is_ascii_punctuation() && !in_tag && !in_reference => {
                out += &format!("&#{};", c as u32);
                continue;
            }
            _ => {}
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(tex: &str) -> String {
        mathml(tex, MathDisplay::Block).unwrap()
    }

    #[test]
    fn letters_keep_their_alphabets() {
        assert!(block(r"\mathbf{x}").contains('𝐱'));
        assert!(block(r"\mathbb{R}").contains('ℝ'));
        assert!(block(r"\mathcal{N}").contains('𝒩'));
        assert!(block(r"\boldsymbol{\alpha}").contains('𝜶'));
        assert!(block(r"\top").contains('⊤'));
    }

    #[test]
    fn a_fault_quotes_the_formula_and_the_reason() {
        let fault = mathml("a + \n \\undefined", MathDisplay::Inline).unwrap_err();
        assert_eq!(fault, "formula `a + \\undefined`: Unknown command \"\\undefined\".");
        for tex in [
            r"\frac{1}",
            r"\begin{cases} a",
            r"x^2^3",
            r"\text{if $x$}",
            "h = 0.3<!--=h-->",
            r"\ref{nowhere}",
        ] {
            assert!(mathml(tex, MathDisplay::Block).is_err(), "{tex}");
        }
    }

    #[test]
    fn operators_are_marked_for_the_style_sheet() {
        assert!(block("f'(x)").contains("<mo class=\"prime\">′</mo>"));
        assert!(block(r"\vec v").contains("<mo class=\"vector\" stretchy=\"false\">→</mo>"));
        assert!(block(r"\left( x \right)").contains("<mo class=\"fence\">(</mo>"));
        assert!(!block("(x)").contains("fence"), "an ordinary parenthesis has its own width");
        let squared = block(r"\bigl( x \bigr)^2");
        assert!(squared.contains("<msup><mrow><mo class=\"fence\" minsize"), "{squared}");
    }
}
