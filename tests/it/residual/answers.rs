//! Inference against the definition, and row by row.

use approx::assert_abs_diff_eq;
use rand::RngExt;
use roughboard::net::residual::{Inference, Shape, Weights};
use roughboard::random::stream;

use super::reference::forward;

fn rows(shape: &Shape, n: usize) -> Vec<f32> {
    let mut stream = stream(5, "rows", 0);
    (0..n * shape.row_len()).map(|_| f32::from(u8::from(stream.random_bool(0.3)))).collect()
}

fn shapes() -> impl Iterator<Item = Shape> {
    let small = |rows, columns, planes, channels, layers| Shape {
        channels,
        layers,
        policy_channels: 20,
        value_channels: 3,
        value_hidden: 10,
        ..Shape::new(rows, columns, planes)
    };
    [
        Shape::new(6, 6, 7),
        small(6, 6, 7, 16, 1),
        small(6, 6, 9, 24, 3),
        small(4, 6, 2, 8, 2),
        small(5, 7, 17, 20, 4),
        small(1, 1, 1, 1, 2),
    ]
    .into_iter()
}

#[test]
fn fast_answers_are_those_of_the_definition() {
    for shape in shapes() {
        let weights = Weights::random(shape, 3, "test").unwrap();
        let (rows, n) = (rows(&shape, 3), 3);
        let (mut logits, mut values) = (vec![0.0; n * shape.n_logits()], vec![0.0; n]);
        Inference::new(&weights).evaluate(&rows, &mut logits, &mut values);
        for (i, row) in rows.chunks_exact(shape.row_len()).enumerate() {
            let (right, value) = forward(&weights, row);
            for (a, b) in logits[i * shape.n_logits()..].iter().zip(&right) {
                assert_abs_diff_eq!(f64::from(*a), b, epsilon = 1e-4);
            }
            assert_abs_diff_eq!(f64::from(values[i]), value, epsilon = 1e-4);
        }
    }
}

#[test]
fn an_answer_does_not_depend_on_the_other_rows() {
    for shape in shapes() {
        let net = Inference::new(&Weights::random(shape, 3, "test").unwrap());
        let n = 130;
        let rows = rows(&shape, n);
        let (mut logits, mut values) = (vec![0.0; n * shape.n_logits()], vec![0.0; n]);
        net.evaluate(&rows, &mut logits, &mut values);
        for size in [1, 7, 64] {
            let (mut some, mut value) = (vec![1.0; size * shape.n_logits()], vec![1.0; size]);
            for first in [0, 3, n - size] {
                net.evaluate(&rows[first * shape.row_len()..][..size * shape.row_len()], &mut some, &mut value);
                assert_eq!(some, logits[first * shape.n_logits()..][..some.len()]);
                assert_eq!(value, values[first..][..size]);
            }
        }
    }
}
