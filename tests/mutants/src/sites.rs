//! Finds the code that each mutant changes, and says how both stand side by side.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    Arm, BinOp, Block, Expr, ExprBinary, ExprConst, ExprMatch, ExprRepeat, ExprStruct, ExprUnary, FieldValue,
    GenericArgument, ImplItemConst, ImplItemFn, ItemConst, ItemFn, ItemStatic, Member, Pat, Signature, TraitItemConst,
    TraitItemFn, TypeArray, TypeImplTrait, Variant,
};

use crate::list::{Genre, Mutant, line_starts};
use crate::rewrite::{Edit, Piece};

/// What is to be changed in a file.
#[derive(Default)]
pub struct Found {
    pub edits: Vec<Edit>,
    pub left_out: BTreeMap<usize, &'static str>,
}

/// Places all `mutants` of the file `text`. Functions are no longer `const`, as those cannot be switched, but for those called `stay_const`.
pub fn find(text: &str, mutants: &[&Mutant], stay_const: &BTreeSet<String>) -> syn::Result<Found> {
    let starts = line_starts(text);
    let mut wanted = BTreeMap::<(Genre, usize), Vec<&Mutant>>::new();
    for mutant in mutants {
        wanted.entry((mutant.genre, mutant.bytes(text, &starts).start)).or_default().push(mutant);
    }
    let mut finder = Finder { text, wanted, stay_const, is_const: false, found: Found::default() };
    finder.visit_file(&syn::parse_file(text)?);
    let Finder { wanted, mut found, .. } = finder;
    let missed = wanted.values().flatten().map(|mutant| (mutant.number, "its code was not found"));
    found.left_out.extend(missed);
    Ok(found)
}

struct Finder<'a> {
    text: &'a str,
    wanted: BTreeMap<(Genre, usize), Vec<&'a Mutant>>,
    stay_const: &'a BTreeSet<String>,
    /// Whether the compiler computes what is visited.
    is_const: bool,
    found: Found,
}

/// The condition that mutant `number` was chosen.
fn on(number: usize) -> String {
    format!("crate::mutant::on({number})")
}

fn bytes(node: &impl Spanned) -> Range<usize> {
    node.span().byte_range()
}

fn is_let_chain(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(ExprBinary { left, right, op: BinOp::And(_), .. }) => is_let_chain(left) || is_let_chain(right),
        _ => false,
    }
}

/// Whether a function says of what it returns only which traits that has.
fn has_hidden_type(signature: &Signature) -> bool {
    struct Hidden(bool);
    impl Visit<'_> for Hidden {
        fn visit_type_impl_trait(&mut self, _: &TypeImplTrait) {
            self.0 = true;
        }
    }
    let mut hidden = Hidden(false);
    hidden.visit_return_type(&signature.output);
    hidden.0
}

impl<'a> Finder<'a> {
    /// The mutants of a genre at a byte, if they can be switched there.
    fn take(&mut self, genre: Genre, at: usize) -> Vec<&'a Mutant> {
        let mutants = self.wanted.remove(&(genre, at)).unwrap_or_default();
        if !self.is_const {
            return mutants;
        }
        self.leave_out(&mutants, "the compiler computes it");
        Vec::new()
    }

    fn leave_out(&mut self, mutants: &[&Mutant], reason: &'static str) {
        self.found.left_out.extend(mutants.iter().map(|mutant| (mutant.number, reason)));
    }

    fn edit(&mut self, span: Range<usize>, mutants: &[&Mutant], pieces: Vec<Piece>) {
        self.found.edits.push(Edit { span, pieces, mutants: mutants.iter().map(|mutant| mutant.number).collect() });
    }

    fn in_const(&mut self, is_const: bool, visit: impl FnOnce(&mut Self)) {
        let before = self.is_const;
        self.is_const = is_const;
        visit(self);
        self.is_const = before;
    }

    /// A function, whose body may be replaced by a value.
    fn function(&mut self, signature: &Signature, block: &Block, visit: impl FnOnce(&mut Self)) {
        let stays = self.stay_const.contains(&signature.ident.to_string());
        if let Some(word) = signature.constness.filter(|_| !stays) {
            self.edit(bytes(&word), &[], Vec::new());
        }
        self.in_const(signature.constness.is_some() && stays, |finder| {
            if let Some(first) = block.stmts.first() {
                let mut mutants = finder.take(Genre::FnValue, bytes(first).start);
                if has_hidden_type(signature) {
                    finder.leave_out(
                        &std::mem::take(&mut mutants),
                        "its type has no name, so that it cannot be another one",
                    );
                }
                let at = block.brace_token.span.open().byte_range().end;
                for mutant in mutants {
                    let open = Piece::Text(format!(" if {} {{ return ", on(mutant.number)));
                    let pieces = vec![
                        open,
                        Piece::Mutant(mutant.number, mutant.replacement.clone()),
                        Piece::Text("; }".to_owned()),
                    ];
                    finder.edit(at..at, &[mutant], pieces);
                }
            }
            visit(finder);
        });
    }
}

/// `if on(a) { … } else if on(b) { … } else { original }`, where `code` writes an operation with an operator, behind the code `place`.
fn choice(mutants: &[&Mutant], original: &str, place: Range<usize>, code: impl Fn(&str) -> String) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for mutant in mutants {
        pieces.push(Piece::Text(format!("if {} {{ ", on(mutant.number))));
        pieces.push(Piece::Source(place.clone()));
        pieces.push(Piece::Mutant(mutant.number, code(&mutant.replacement)));
        pieces.push(Piece::Text(" } else ".to_owned()));
    }
    pieces.extend([Piece::Text("{ ".to_owned()), Piece::Source(place), Piece::Text(format!("{} }}", code(original)))]);
    pieces
}

/// `start`, the pieces and `end` as one expression.
fn framed(start: Vec<Piece>, middle: Vec<Piece>, end: &str) -> Vec<Piece> {
    start.into_iter().chain(middle).chain([Piece::Text(end.to_owned())]).collect()
}

/// Visits of what the compiler computes.
macro_rules! in_const {
    ($($visit:ident($node:ty),)*) => {
        $(fn $visit(&mut self, node: &'ast $node) {
            self.in_const(true, |finder| visit::$visit(finder, node));
        })*
    };
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_expr_binary(&mut self, node: &'ast ExprBinary) {
        let mutants = self.take(Genre::BinaryOperator, bytes(&node.op).start);
        if !mutants.is_empty() {
            self.binary(node, &mutants);
        }
        visit::visit_expr_binary(self, node);
    }

    fn visit_expr_unary(&mut self, node: &'ast ExprUnary) {
        let mutants = self.take(Genre::UnaryOperator, bytes(&node.op).start);
        if !mutants.is_empty() {
            let operator = &self.text[bytes(&node.op)];
            let start = vec![
                Piece::Text("(match ".to_owned()),
                Piece::Source(bytes(&*node.expr)),
                Piece::Text(" { x__ => ".to_owned()),
            ];
            let pieces = framed(start, choice(&mutants, operator, 0..0, |operator| format!("{operator}x__")), " })");
            self.edit(bytes(node), &mutants, pieces);
        }
        visit::visit_expr_unary(self, node);
    }

    fn visit_expr_match(&mut self, node: &'ast ExprMatch) {
        let takes_all = |arm: &Arm| arm.guard.is_none() && matches!(arm.pat, Pat::Wild(_) | Pat::Ident(_));
        let is_whole = node.arms.iter().any(takes_all);
        for arm in node.arms.iter().filter(|arm| !is_whole || takes_all(arm)) {
            let mutants = self.take(Genre::MatchArm, bytes(arm).start);
            self.leave_out(&mutants, "the other arms are not all cases");
        }
        visit::visit_expr_match(self, node);
    }

    fn visit_arm(&mut self, node: &'ast Arm) {
        let deleted = self.take(Genre::MatchArm, bytes(node).start);
        let guard = node.guard.as_ref().map(|(_, guard)| &**guard);
        let replaced = guard.map(|guard| self.take(Genre::MatchArmGuard, bytes(guard).start)).unwrap_or_default();
        let mutants: Vec<&Mutant> = deleted.iter().chain(&replaced).copied().collect();
        if !mutants.is_empty() {
            self.arm(node, guard, &mutants);
        }
        visit::visit_arm(self, node);
    }

    fn visit_expr_struct(&mut self, node: &'ast ExprStruct) {
        for field in &node.fields {
            let mutants = self.take(Genre::StructField, bytes(field).start);
            if !mutants.is_empty() {
                self.field(node, field, &mutants);
            }
        }
        visit::visit_expr_struct(self, node);
    }

    fn visit_item_fn(&mut self, node: &'ast ItemFn) {
        self.function(&node.sig, &node.block, |finder| visit::visit_item_fn(finder, node));
    }

    fn visit_impl_item_fn(&mut self, node: &'ast ImplItemFn) {
        self.function(&node.sig, &node.block, |finder| visit::visit_impl_item_fn(finder, node));
    }

    fn visit_trait_item_fn(&mut self, node: &'ast TraitItemFn) {
        let Some(block) = &node.default else { return };
        self.function(&node.sig, block, |finder| visit::visit_trait_item_fn(finder, node));
    }

    in_const! {
        visit_item_const(ItemConst),
        visit_item_static(ItemStatic),
        visit_impl_item_const(ImplItemConst),
        visit_trait_item_const(TraitItemConst),
        visit_expr_const(ExprConst),
        visit_type_array(TypeArray),
        visit_generic_argument(GenericArgument),
        visit_variant(Variant),
    }

    fn visit_expr_repeat(&mut self, node: &'ast ExprRepeat) {
        self.visit_expr(&node.expr);
        self.in_const(true, |finder| finder.visit_expr(&node.len));
    }

    /// Numbers in patterns are no expressions.
    fn visit_pat(&mut self, _: &'ast Pat) {}
}

impl Finder<'_> {
    /// An operator between two operands, which are computed once whatever the operator is.
    fn binary(&mut self, node: &ExprBinary, mutants: &[&Mutant]) {
        let operator = &self.text[bytes(&node.op)];
        let [left, right] = [&*node.left, &*node.right].map(bytes);
        let text = |text: &str| Piece::Text(text.to_owned());
        let pieces = match node.op {
            BinOp::And(_) | BinOp::Or(_) if is_let_chain(&node.left) || is_let_chain(&node.right) => {
                return self.leave_out(mutants, "it is part of a chain with `let`");
            }
            // The other of the two operators asks for the right operand where this one does not.
            BinOp::And(_) | BinOp::Or(_) => {
                let [mutant] = mutants else { return self.leave_out(mutants, "the operator has two mutants") };
                let compared = if operator == "&&" { "!=" } else { "==" };
                vec![
                    text("(match "),
                    Piece::Source(left),
                    Piece::Text(format!(" {{ l__ => if l__ {compared} {} {{ ", on(mutant.number))),
                    Piece::Source(right),
                    text(" } else { l__ } })"),
                ]
            }
            BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => {
                let start = vec![
                    text("(match (&("),
                    Piece::Source(left),
                    text("), &("),
                    Piece::Source(right),
                    text(")) { (l__, r__) => "),
                ];
                framed(start, choice(mutants, operator, 0..0, |operator| format!("*l__ {operator} *r__")), " })")
            }
            _ if operator.ends_with('=') => {
                let start = vec![text("(match "), Piece::Source(right), text(" { r__ => ")];
                framed(start, choice(mutants, operator, left, |operator| format!(" {operator} r__")), " })")
            }
            _ => {
                let start = vec![
                    text("(match ("),
                    Piece::Source(left),
                    text(", "),
                    Piece::Source(right),
                    text(") { (l__, r__) => "),
                ];
                framed(start, choice(mutants, operator, 0..0, |operator| format!("l__ {operator} r__")), " })")
            }
        };
        self.edit(bytes(node), mutants, pieces);
    }

    /// An arm that may be passed over, or whose guard may be replaced.
    fn arm(&mut self, node: &Arm, guard: Option<&Expr>, mutants: &[&Mutant]) {
        let on_any = |replacement: &str, genre: Genre| {
            let chosen = mutants.iter().filter(|mutant| mutant.genre == genre && mutant.replacement == replacement);
            chosen.map(|mutant| on(mutant.number)).collect::<Vec<_>>().join(" || ")
        };
        let or_false = |condition: String| if condition.is_empty() { "false".to_owned() } else { condition };
        let is_deleted = or_false(on_any("", Genre::MatchArm));
        let Some(guard) = guard else {
            let at = bytes(&node.pat).end;
            return self.edit(at..at, mutants, vec![Piece::Text(format!(" if !({is_deleted})"))]);
        };
        let [is_true, is_false] = ["true", "false"].map(|value| or_false(on_any(value, Genre::MatchArmGuard)));
        let start = Piece::Text(format!("!({is_deleted}) && (({is_true}) || (!({is_false}) && ("));
        let pieces = vec![start, Piece::Source(bytes(guard)), Piece::Text(")))".to_owned())];
        self.edit(bytes(guard), mutants, pieces);
    }

    /// A field that may come from the rest of the struct.
    fn field(&mut self, node: &ExprStruct, field: &FieldValue, mutants: &[&Mutant]) {
        let (Some(rest), Member::Named(name), [mutant]) = (&node.rest, &field.member, mutants) else {
            return self.leave_out(mutants, "the field has no rest to come from");
        };
        let rest = match &self.text[bytes(&**rest)] {
            "Default::default()" => format!("<{}>::default()", &self.text[bytes(&node.path)]),
            rest => rest.to_owned(),
        };
        let pieces = vec![
            Piece::Text(format!("{name}: if {} {{ ", on(mutant.number))),
            Piece::Mutant(mutant.number, format!("({rest}).{name}")),
            Piece::Text(" } else { ".to_owned()),
            Piece::Source(bytes(&field.expr)),
            Piece::Text(" }".to_owned()),
        ];
        self.edit(bytes(field), mutants, pieces);
    }
}
