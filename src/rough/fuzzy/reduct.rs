//! Reducts that keep the fuzzy positive region: QuickReduct by the fuzzy dependency (Jensen & Shen 2009; Cornelis, Jensen,
//! Hurtado & Ślęzak, *Attribute selection with fuzzy decision reducts*, Inf. Sci. 180, 2010), and what it chose in vain is
//! dropped again.

use rayon::prelude::*;

use super::{BLOCK, CHUNK, FuzzyRoughSets, largest};
use crate::observe::Observer;
use crate::settings::{SettingError, require};
use crate::table::{AttrIdx, AttrSet, TIE};

/// Attributes that keep γ, or a share of it, and of which none is dispensable.
#[derive(Debug, Clone, PartialEq)]
pub struct FuzzyReduct {
    /// The attributes.
    pub attrs: AttrSet,
    /// γ of the attributes.
    pub gamma: f64,
    /// γ of all attributes.
    pub whole: f64,
    /// The attributes in the order in which they were chosen, each with γ of those up to it.
    pub steps: Vec<(AttrIdx, f64)>,
}

impl FuzzyRoughSets<'_> {
    /// Adds the attribute that makes γ largest, the first of several, until γ is `share` times that of all attributes; then
    /// drops in the same order what is not needed. With a share of 1 a fuzzy decision reduct, below it one to that degree.
    ///
    /// # Errors
    /// When the share is not in (0, 1].
    pub fn reduct(&self, share: f64, observer: &dyn Observer) -> Result<FuzzyReduct, SettingError> {
        require(share > 0.0 && share <= 1.0, "share", "in (0, 1]", share)?;
        let all = self.table.all_attributes();
        let rows: Vec<usize> = (0..self.n_rows()).collect();
        let whole = self.positive(&all, &rows);
        let enough = share * self.gamma_of(&whole) - TIE;
        let (mut attrs, mut positive, mut steps) = (AttrSet::new(), self.positive(&AttrSet::new(), &rows), Vec::new());
        // Rounding must not choose among attributes that gain the same.
        let tie = TIE * self.table.total_weight() as f64;
        observer.begin("choosing attributes", all.len() as u64);
        while self.gamma_of(&positive) < enough {
            // The positive region only grows, so objects that have all of it have no say any more.
            let open: Vec<usize> = rows.iter().copied().filter(|&row| positive[row] < whole[row] - TIE).collect();
            let candidates: Vec<AttrIdx> = all.iter().filter(|&attr| !attrs.contains(attr)).collect();
            let gains = self.positive_with_each(&attrs, &candidates, &open);
            let best =
                (0..gains.len()).reduce(|best, other| if gains[other] > gains[best] + tie { other } else { best });
            let Some(best) = best.map(|at| candidates[at]) else { break };
            attrs.insert(best);
            open.iter().zip(self.positive(&attrs, &open)).for_each(|(&row, degree)| positive[row] = degree);
            steps.push((best, self.gamma_of(&positive)));
            observer.advance(1);
        }
        let chosen = steps.iter().map(|&(attr, _)| attr);
        let attrs = attrs.pruned(chosen, |attrs| self.gamma_of(&self.positive(attrs, &rows)) >= enough);
        observer.end();
        let gamma = self.gamma_of(&self.positive(&attrs, &rows));
        Ok(FuzzyReduct { attrs, gamma, whole: self.gamma_of(&whole), steps })
    }

    /// POS of the rows `rows`.
    fn positive(&self, attrs: &AttrSet, rows: &[usize]) -> Vec<f64> {
        let of_row = |&row: &usize| {
            let nearest = self.others(row).map(|others| self.nearest(attrs, row, others));
            self.settings.implicator.of_false(nearest[0].max(nearest[1]))
        };
        rows.par_iter().map(of_row).collect()
    }

    /// γ, if this is POS of all rows.
    fn gamma_of(&self, positive: &[f64]) -> f64 {
        let sum: f64 = positive.iter().zip(&self.weights).map(|(degree, &weight)| degree * weight as f64).sum();
        sum / self.table.total_weight() as f64
    }

    /// The weight of POS in the rows `rows`, by `attrs` with each of the `candidates`.
    fn positive_with_each(&self, attrs: &AttrSet, candidates: &[AttrIdx], rows: &[usize]) -> Vec<f64> {
        let of_chunk = |rows: &[usize]| {
            let mut sums = vec![0.0; candidates.len()];
            for &row in rows {
                let nearest = self.nearest_with_each(attrs, candidates, row);
                for (sum, nearest) in sums.iter_mut().zip(nearest) {
                    *sum += self.settings.implicator.of_false(nearest) * self.weights[row] as f64;
                }
            }
            sums
        };
        let parts: Vec<Vec<f64>> = rows.par_chunks(CHUNK).map(of_chunk).collect();
        // One after another, so that the sum does not depend on threads.
        parts
            .into_iter()
            .fold(vec![0.0; candidates.len()], |sums, part| sums.iter().zip(part).map(|(a, b)| a + b).collect())
    }

    /// How similar the nearest row of another decision is to `row`, by `attrs` with each of the `candidates`.
    fn nearest_with_each(&self, attrs: &AttrSet, candidates: &[AttrIdx], row: usize) -> Vec<f64> {
        let mut most = vec![0.0; candidates.len()];
        let (mut common, mut degrees) = ([0.0; BLOCK], [0.0; BLOCK]);
        let point = |attr: AttrIdx| self.alike.point(attr.index(), row);
        for others in self.others(row) {
            for start in others.clone().step_by(BLOCK) {
                let length = BLOCK.min(others.end - start);
                let (common, degrees) = (&mut common[..length], &mut degrees[..length]);
                common.fill(1.0);
                attrs.iter().for_each(|attr| self.alike.join(attr.index(), point(attr), start, common));
                for (most, &attr) in most.iter_mut().zip(candidates) {
                    degrees.copy_from_slice(common);
                    self.alike.join(attr.index(), point(attr), start, degrees);
                    *most = largest(*most, degrees);
                }
            }
        }
        most
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{EXAMPLE, TRIANGULAR, table};
    use super::super::{FuzzySettings, TNorm};
    use super::*;
    use crate::observe::Silent;

    /// QuickReduct of Jensen & Shen (2009) chooses c first and then b.
    #[test]
    fn the_reduct_of_the_example_is_the_one_published() {
        let table = table(EXAMPLE, "q");
        let reduct = FuzzyRoughSets::new(&table, TRIANGULAR).unwrap().reduct(1.0, &Silent).unwrap();
        assert_eq!((table.names(&reduct.attrs), reduct.gamma, reduct.whole), (vec!["b", "c"], 1.0, 1.0));
        let steps: Vec<(usize, f64)> =
            reduct.steps.iter().map(|(attr, gamma)| (attr.index(), (gamma * 1e4).round() / 1e4)).collect();
        assert_eq!(steps, [(2, 0.4078), (1, 1.0)]);
    }

    /// b is a read backwards within each decision.
    #[test]
    fn of_attributes_that_gain_the_same_the_first_is_chosen() {
        let table = table("a,b,d\n3,10,p\n9,10,p\n10,9,p\n10,3,p\n1,0,q\n6,0,q\n0,6,q\n0,1,q\n", "d");
        let sets = FuzzyRoughSets::new(&table, TRIANGULAR).unwrap();
        assert_eq!(sets.reduct(1.0, &Silent).unwrap().steps[0].0.index(), 0);
    }

    /// The squares of their differences are 0 or infinite as numbers.
    #[test]
    fn very_small_and_very_large_numbers_are_told_apart() {
        let gamma = |unit: &str| {
            let rows = ["1", "2", "3", "9"].iter().zip(["p", "q", "p", "q"]).map(|(n, d)| format!("{n}{unit},{d}\n"));
            let table = table(&format!("a,d\n{}", rows.collect::<String>()), "d");
            FuzzyRoughSets::new(&table, TRIANGULAR).unwrap().reduct(1.0, &Silent).unwrap().whole
        };
        for unit in ["e-200", "e200"] {
            assert!((gamma(unit) - gamma("")).abs() < 1e-6, "{unit}: {} {}", gamma(unit), gamma(""));
        }
    }

    #[test]
    fn no_attribute_of_a_reduct_is_dispensable() {
        let mut csv = "a,b,c,e,d\n".to_owned();
        (0..200_usize).for_each(|n| {
            let number = |k: usize| (n * n * k + 7 * n) % 97;
            csv += &format!("{},{},{},{},{}\n", number(3), number(5), number(2) % 4, number(7), number(11) % 2);
        });
        let table = table(&csv, "d");
        for t_norm in [TNorm::Lukasiewicz, TNorm::Minimum, TNorm::Product] {
            let sets = FuzzyRoughSets::new(&table, FuzzySettings { t_norm, ..FuzzySettings::default() }).unwrap();
            let gamma = |attrs: &AttrSet| sets.approximations(attrs, &Silent).gamma();
            for share in [1.0, 0.8] {
                let reduct = sets.reduct(share, &Silent).unwrap();
                assert!((gamma(&reduct.attrs) - reduct.gamma).abs() < 1e-9);
                assert!((gamma(&table.all_attributes()) - reduct.whole).abs() < 1e-9);
                assert!(reduct.gamma >= share * reduct.whole - 1e-8);
                for attr in reduct.attrs.iter() {
                    let mut fewer = reduct.attrs.clone();
                    fewer.remove(attr);
                    assert!(gamma(&fewer) < share * reduct.whole, "{t_norm} {share}");
                }
            }
            let error = sets.reduct(0.0, &Silent).unwrap_err().to_string();
            assert_eq!(error, "`share` must be in (0, 1], got 0");
        }
    }
}
