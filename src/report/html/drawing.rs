//! Whether a picture that stands in the page is a drawing and nothing else. It comes from the folder of a run, which may be a stranger's:
//! the page's policy lets no script run, but an element could lead a reader elsewhere or cover the page.

/// The elements of the pictures that this program draws.
const ELEMENTS: [&str; 10] = ["svg", "g", "title", "circle", "line", "path", "polygon", "polyline", "rect", "text"];

/// Whether the text of an SVG holds drawn elements alone, with attributes that do nothing.
pub(crate) fn is_only_drawn(svg: &str) -> bool {
    let (text, tags) = (svg.trim_end(), svg.matches('<').count());
    let is_closed = text.ends_with("</svg>") || tags == 1 && text.ends_with("/>");
    is_closed && svg.matches("<svg").count() == 1 && svg.split('<').skip(1).all(is_drawn)
}

/// Whether `tag`, which a `<` stood before, is one of a drawing.
fn is_drawn(tag: &str) -> bool {
    let Some((inside, _)) = tag.split_once('>') else { return false };
    // A `>` within quotation marks does not end the element, and marks of the other kind are not drawn.
    if inside.contains('\'') || inside.matches('"').count() % 2 == 1 {
        return false;
    }
    let inside = inside.strip_prefix('/').unwrap_or(inside).trim_end_matches('/');
    let (name, attributes) = inside.split_once(|c: char| c.is_whitespace()).unwrap_or((inside, ""));
    ELEMENTS.contains(&name) && attributes.split('=').rev().skip(1).all(is_harmless)
}

/// Whether the attribute is harmless whose name stands at the end of `before`.
fn is_harmless(before: &str) -> bool {
    let name =
        before.trim_end().rsplit(|c: char| c.is_whitespace() || matches!(c, '"' | '/')).next().unwrap_or_default();
    let name = name.to_ascii_lowercase();
    !name.starts_with("on") && !name.ends_with("href") && name != "style"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_pass_and_what_acts_or_leads_elsewhere_does_not() {
        let picture =
            |inside: &str| format!("<svg width=\"9\" xmlns=\"http://www.w3.org/2000/svg\">\n{inside}\n</svg>\n");
        for inside in ["", "<rect x=\"1\" fill=\"#fff\"/>", "<g><text x=\"1\">\na = b\n</text></g>"] {
            assert!(is_only_drawn(&picture(inside)), "{inside}");
        }
        for inside in [
            "<script>alert(1)</script>",
            "<rect onload=\"alert(1)\"/>",
            "<rect ONCLICK = 'x'/>",
            "<rect x=\">\" onload=\"alert(1)\"/>",
            "<rect x=\"1\"/onload=\"alert(1)\"/>",
            "<rect x='>' y='<' onload='alert(1)'/>",
            "<a href=\"https://example.org\"><text>x</text></a>",
            "<g xlink:href=\"x\"/>",
            "<rect style=\"position:fixed\"/>",
            "<foreignObject><form/></foreignObject>",
            "<!-- x -->",
            "</svg><meta http-equiv=\"refresh\" content=\"0\"><svg>",
            "</svg><svg>",
            "<rect",
        ] {
            assert!(!is_only_drawn(&picture(inside)), "{inside}");
        }
        assert!(is_only_drawn("<svg/>") && !is_only_drawn("<svg/><form>"));
        assert!(!is_only_drawn(&(picture("") + "<form>")) && !is_only_drawn(""));
    }
}
