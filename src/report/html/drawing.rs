//! Whether a picture that stands in the page is a drawing and nothing else. It comes from the folder of a run, which may be a stranger's:
//! the page's policy lets no script run, but an element could lead a reader elsewhere or cover the page, and an attribute could
//! be taken for one of the page's own.

/// What pictures of this program draw, and what may stand around it.
const ELEMENTS: [&str; 9] = ["g", "title", "circle", "line", "path", "polygon", "polyline", "rect", "text"];

/// What attributes say of where something is drawn and how it looks. None of them is a name, a link, a style sheet or an action.
const ATTRIBUTES: [&str; 31] = [
    "xmlns",
    "viewBox",
    "width",
    "height",
    "x",
    "y",
    "x1",
    "y1",
    "x2",
    "y2",
    "dx",
    "dy",
    "cx",
    "cy",
    "r",
    "rx",
    "ry",
    "d",
    "points",
    "transform",
    "opacity",
    "fill",
    "fill-opacity",
    "stroke",
    "stroke-opacity",
    "stroke-width",
    "stroke-dasharray",
    "text-anchor",
    "font-family",
    "font-size",
    "font-weight",
];

/// Whether the text of an SVG is one whole element that holds drawn elements alone, each closed where it was opened: what is left
/// open would take in what the page has behind the picture.
pub(crate) fn is_only_drawn(svg: &str) -> bool {
    let Some(tags) = svg.trim_end().strip_prefix('<') else { return false };
    let mut open: Vec<&str> = Vec::new();
    for (at, tag) in tags.split('<').enumerate() {
        let Some((tag, text)) = tag.split_once('>') else { return false };
        let is_in_place = match tag.strip_prefix('/') {
            Some(name) => open.pop() == Some(name),
            None => opens(tag, at == 0, &mut open),
        };
        // Behind the picture stands nothing.
        if !is_in_place || open.is_empty() && !text.is_empty() {
            return false;
        }
    }
    open.is_empty()
}

/// Whether the element that `tag` begins is a drawing's, in one of the elements that are `open`, among which it is from now on
/// unless it ends at once. The first one is the picture.
fn opens<'s>(tag: &'s str, is_first: bool, open: &mut Vec<&'s str>) -> bool {
    let inside = tag.strip_suffix('/');
    let (name, attributes) = inside.unwrap_or(tag).split_once(is_blank).unwrap_or((inside.unwrap_or(tag), ""));
    // In a title every element would be one of HTML.
    let is_inside = open.last().is_some_and(|parent| *parent != "title");
    if inside.is_none() {
        open.push(name);
    }
    let is_drawn = if is_first { name == "svg" } else { is_inside && ELEMENTS.contains(&name) };
    is_drawn && are_harmless(attributes)
}

/// What separates words in a tag of HTML.
const fn is_blank(c: char) -> bool {
    c.is_ascii_whitespace()
}

/// Whether `attributes` are known ones, `name="value"` each.
fn are_harmless(mut attributes: &str) -> bool {
    while let Some((name, value)) = attributes.split_once("=\"") {
        let Some((_, rest)) = value.split_once('"') else { return false };
        if !ATTRIBUTES.contains(&name.trim_start_matches(is_blank)) {
            return false;
        }
        attributes = rest;
    }
    attributes.chars().all(is_blank)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_pass_and_what_acts_or_leads_elsewhere_does_not() {
        let picture =
            |inside: &str| format!("<svg width=\"9\" xmlns=\"http://www.w3.org/2000/svg\">\n{inside}\n</svg>\n");
        for inside in [
            "",
            "<rect x=\"1\" fill=\"#fff\"/>",
            "<g><text x=\"1\"\n y=\"2\" >\na = b\n</text></g>",
            "<g><title>it's 5 &gt; 3</title><path d=\"M0 0\"></path></g>",
        ] {
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

    /// What is left open, or closed in another place, reaches into the page.
    #[test]
    fn elements_are_closed_where_they_were_opened() {
        for hostile in [
            "<svg></svg><title></svg>",
            "<svg></svg><title></title>",
            "<svg></svg>words",
            "<svg><g></svg>",
            "<svg></g></svg>",
            "<svg><g><text></g></text></svg>",
            "<svg><title><title></title></title></svg>",
            "<svg><title><g/></title></svg>",
            "<svg><svg/></svg>",
            "<svg>",
            "<g></g>",
            // Without quotation marks the stroke would be a part of the value, and the element open.
            "<svg><g x=1/></svg>",
            "<svg x=\"1/>",
            "<svg\u{a0}x=\"1\"/>",
        ] {
            assert!(!is_only_drawn(hostile), "{hostile}");
        }
    }

    /// The page finds its own elements by these.
    #[test]
    fn no_attribute_is_one_that_the_page_goes_by() {
        for attribute in
            ["id=\"games-2\"", "data-games=\"nothing\"", "class=\"viewer\"", "tabindex=\"1\"", "contenteditable"]
        {
            assert!(!is_only_drawn(&format!("<svg><g {attribute}/></svg>")), "{attribute}");
            assert!(!is_only_drawn(&format!("<svg {attribute}></svg>")), "{attribute}");
        }
    }
}
