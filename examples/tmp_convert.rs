use roughboard::disk::sha256_of_file;
use roughboard::report::columns::{is_described, names_of};
use roughboard::stats::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

type Row = Vec<String>;
fn read(p: &Path) -> (Row, Vec<Row>) {
    let mut r = csv::Reader::from_path(p).unwrap();
    let h = r.headers().unwrap().iter().map(str::to_owned).collect();
    (h, r.records().map(|x| x.unwrap().iter().map(str::to_owned).collect()).collect())
}
fn num(x: f64) -> String {
    if x.is_nan() { String::new() } else { x.to_string() }
}
fn elo3(e: EloEstimate) -> Vec<String> {
    let (l, h) = e.ends();
    e.elo().map_or(vec![String::new(); 3], |e| [e, l, h].map(num).into())
}
fn mean_sd(v: &[f64]) -> (f64, f64) {
    let n = v.len().max(1) as f64;
    let mean = v.iter().sum::<f64>() / n;
    let sq: f64 = v.iter().map(|x| (x - mean).powi(2)).sum();
    (mean, if v.len() > 1 { sq / (n - 1.0) } else { 0.0 }.sqrt())
}
/// pentanomials by pair of names from games.csv
fn pents(folder: &Path) -> BTreeMap<[String; 2], Pentanomial> {
    let p = folder.join("games.csv");
    let mut out = BTreeMap::new();
    if !p.exists() {
        return out;
    }
    let (h, rows) = read(&p);
    let col = |n: &str| h.iter().position(|x| x == n || *x == n.replace(' ', "_")).unwrap();
    let (a, b, r) = (col("a"), col("b"), col("result of a"));
    let mut by: BTreeMap<[String; 2], Vec<i8>> = BTreeMap::new();
    for row in rows {
        by.entry([row[a].clone(), row[b].clone()]).or_default().push(row[r].parse().unwrap());
    }
    for (k, v) in by {
        out.insert(k, Pentanomial::of_pairs(v.chunks_exact(2).map(|c| (c[0].into(), c[1].into()))));
    }
    out
}
fn from_score(row: &BTreeMap<String, String>) -> EloEstimate {
    let g = |k: &str| row[k].parse::<f64>().ok();
    let (score, err) = (g("score %").unwrap() / 100.0, g("± %").map(|e| e / 100.0));
    let games = (g("won").unwrap() + g("drawn").unwrap() + g("lost").unwrap()) as u64;
    let units = games / 2;
    let variance = err.map_or(0.0, |e| (e / Z95).powi(2) * units as f64);
    EloEstimate::of(Some(Sample { units, games_per_unit: 2, score, variance }))
}
fn main() {
    if std::env::args().nth(1).is_some() {
        print!("{}", roughboard::report::columns::dictionary());
        return;
    }
    for folder in fs::read_dir("results").unwrap() {
        let folder = folder.unwrap().path();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        if name == "rough-benchmarks" {
            continue;
        }
        let pents = pents(&folder);
        for f in fs::read_dir(&folder).unwrap() {
            let path = f.unwrap().path();
            if path.extension().is_none_or(|e| e != "csv") {
                continue;
            }
            let file = path.file_name().unwrap().to_string_lossy().into_owned();
            let (h, rows) = read(&path);
            if is_described(&file, &h.iter().map(String::as_str).collect::<Vec<_>>())
                && !h.iter().any(|x| x.contains(' '))
            {
                println!("same {name}/{file}");
                continue;
            }
            let mut names: Vec<Vec<String>> = h.iter().map(|x| names_of(x)).collect();
            for (n, x) in names.iter_mut().zip(&h) {
                if file == "grid.csv" && x.starts_with('λ') {
                    let e = format!("{}_error", n[0]);
                    n.push(e);
                }
                if name == "connect6-records" && x.starts_with(|c: char| c.is_ascii_digit()) {
                    let s = format!("stones_{}", x.replace('-', "_").replace('+', "_up"));
                    *n = vec![s.clone(), s + "_sd"];
                }
                if file == "passes.csv" {
                    if x == "error" {
                        *n = vec!["error_level".into()];
                    } else {
                        let e = format!("{}_sd", n[0]);
                        n.push(e);
                    }
                }
            }
            let curves = folder.join("curves.csv");
            let mut out_rows: Vec<Row> = Vec::new();
            let all: Vec<BTreeMap<String, String>> =
                rows.iter().map(|r| h.iter().cloned().zip(r.iter().cloned()).collect()).collect();
            for (at, (row, map)) in rows.iter().zip(&all).enumerate() {
                let mut out = Vec::new();
                for (c, cell) in row.iter().enumerate() {
                    let mut v: Vec<String> = match h[c].as_str() {
                        "Elo of a ± 95 %" | "Elo ± 95 %" => {
                            let pent = if let Some(p) = map.get("pairs by points 0 ½ 1 1½ 2") {
                                let v: Vec<u64> = p.split(' ').map(|x| x.parse().unwrap()).collect();
                                Some(Pentanomial::new(v.try_into().unwrap()))
                            } else if file == "matches.csv" && map.contains_key("a") {
                                pents.get(&[map["a"].clone(), map["b"].clone()]).copied()
                            } else if name == "evaluation-terms" {
                                pents
                                    .iter()
                                    .find(|(k, _)| {
                                        k[0] == format!("traditional:{}", map["terms"]) || k[0] == map["terms"]
                                    })
                                    .map(|x| *x.1)
                            } else if file == "cells.csv" {
                                let p = &map["passes"];
                                pents
                                    .get(&[
                                        format!(
                                            "N = {}, {p} pass{}",
                                            map["hidden neurons"],
                                            if p == "1" { "" } else { "es" }
                                        ),
                                        pents.keys().next().unwrap()[1].clone(),
                                    ])
                                    .copied()
                            } else {
                                None
                            };
                            let e = match pent {
                                Some(p) => p.elo(),
                                None if map.get("run").is_some_and(|r| r == "S4") => Wdl::new(60, 0, 40).elo(),
                                None => {
                                    println!("  derived: {name}/{file} row {at}");
                                    from_score(map)
                                }
                            };
                            if e.to_string() != *cell {
                                println!("DIFFERENT {name}/{file} row {at}: {cell} {e}");
                            }
                            elo3(e)
                        }
                        "rating ± 95 %" => {
                            let (ph, prow) = read(&folder.join("pairings.csv"));
                            let pc = |n: &str| ph.iter().position(|x| x == n).unwrap();
                            // order of entrants: first appearance
                            let mut ents: Vec<String> = Vec::new();
                            for r in &prow {
                                for n in [&r[pc("a")], &r[pc("b")]] {
                                    if !ents.contains(n) {
                                        ents.push(n.clone());
                                    }
                                }
                            }
                            let enc: Vec<Encounter> = prow
                                .iter()
                                .map(|r| Encounter {
                                    first: ents.iter().position(|x| *x == r[pc("a")]).unwrap(),
                                    second: ents.iter().position(|x| *x == r[pc("b")]).unwrap(),
                                    results: Wdl::new(
                                        r[pc("won")].parse().unwrap(),
                                        r[pc("drawn")].parse().unwrap(),
                                        r[pc("lost")].parse().unwrap(),
                                    ),
                                })
                                .collect();
                            let rt = rate(ents.len(), &enc).unwrap();
                            let r = rt.entrants[ents.iter().position(|x| *x == row[0]).unwrap()];
                            let shown = match (r.standing, r.error) {
                                (Standing::Rated, Some(e)) => format!("{:+.0} ± {:.0}", r.elo, e),
                                (Standing::AtLeast, _) => format!("> {:+.0}", r.elo),
                                (Standing::AtMost, _) => format!("< {:+.0}", r.elo),
                                _ => "–".into(),
                            };
                            if shown != *cell {
                                println!("DIFFERENT {name}/{file} {at}: {cell} {shown}");
                            }
                            let ends = match (r.standing, r.error) {
                                (Standing::Rated, Some(e)) => [r.elo, r.elo - e, r.elo + e],
                                (Standing::AtLeast, _) => [f64::INFINITY, r.elo, f64::INFINITY],
                                (Standing::AtMost, _) => [f64::NEG_INFINITY, f64::NEG_INFINITY, r.elo],
                                _ => [f64::NAN; 3],
                            };
                            ends.map(num).into_iter().chain([(r.group + 1).to_string()]).collect()
                        }
                        "pairs by points 0 ½ 1 1½ 2" => cell.split(' ').map(str::to_owned).collect(),
                        _ if cell.contains(" ± ") => {
                            let (m, s) = cell.split_once(" ± ").unwrap();
                            let mut v: Vec<String> = [m, s].map(|x| num(x.parse::<f64>().unwrap())).into();
                            if curves.exists() && matches!(name.as_str(), "inclusion-start" | "held-out-error") {
                                let digits = m.split_once('.').map_or(0, |x| x.1.len());
                                let (ch, crow) = read(&curves);
                                let cc = |n: &str| ch.iter().position(|x| x == n).unwrap();
                                let series = |way: &dyn Fn(&Row) -> bool| {
                                    let mut by: BTreeMap<u64, Vec<(f64, f64)>> = BTreeMap::new();
                                    for r in crow.iter().filter(|r| way(r)) {
                                        by.entry(r[cc("seed")].parse().unwrap()).or_default().push((
                                            r[cc("pass")].parse().unwrap(),
                                            r[cc("held_out_mse")].parse().unwrap(),
                                        ));
                                    }
                                    by
                                };
                                let values: Vec<f64> = if file == "reduction.csv" {
                                    series(&|r| r[0] == row[0]).values().map(|x| x.last().unwrap().1).collect()
                                } else if file == "errors.csv" {
                                    let p = (c - 3) as f64;
                                    series(&|r| r[0] == row[0] && r[1] == row[1])
                                        .values()
                                        .filter_map(|x| x.iter().find(|y| y.0 == p).map(|y| y.1))
                                        .collect()
                                } else {
                                    let level: f64 = row[0].parse().unwrap();
                                    let to = |way: &str| -> Vec<f64> {
                                        series(&|r| r[0] == way)
                                            .values()
                                            .map(|x| {
                                                let f = x.iter().position(|y| y.1 <= level).unwrap();
                                                if f == 0 {
                                                    return x[0].0;
                                                }
                                                let (a, b) = (x[f - 1], x[f]);
                                                let share = (a.1 - level) / (a.1 - b.1);
                                                a.0 + share * (b.0 - a.0)
                                            })
                                            .collect()
                                    };
                                    match h[c].as_str() {
                                        "saved" => to("random weights")
                                            .iter()
                                            .zip(to("inclusion degrees"))
                                            .map(|(r, i)| r - i)
                                            .collect(),
                                        w => to(w),
                                    }
                                };
                                let (mean, sd) = mean_sd(&values);
                                if format!("{mean:.digits$} ± {sd:.digits$}") == *cell {
                                    v = vec![num(mean), num(sd)];
                                } else {
                                    println!("NOT {name}/{file} {at} {c}: {cell} {mean} {sd} {values:?}");
                                }
                            }
                            v
                        }
                        _ => vec![cell.clone()],
                    };
                    if v.len() == 1 && v[0].parse::<f64>().is_ok_and(|x| x.is_nan()) {
                        v[0].clear();
                    }
                    v.resize(names[c].len(), String::new());
                    out.extend(v);
                }
                out_rows.push(out);
            }
            let flat: Vec<String> = names.concat();
            if !is_described(&file, &flat.iter().map(String::as_str).collect::<Vec<_>>()) {
                println!("UNKNOWN {name}/{file}: {flat:?}");
            }
            let mut w = csv::Writer::from_path(folder.join(format!("{file}.new"))).unwrap();
            w.write_record(&flat).unwrap();
            for r in out_rows {
                w.write_record(&r).unwrap();
            }
            w.flush().unwrap();
            println!("converted {name}/{file}");
        }
        for f in fs::read_dir(&folder).unwrap() {
            let path = f.unwrap().path();
            if path.extension().is_some_and(|e| e == "new") {
                fs::rename(&path, path.with_extension("")).unwrap();
            }
        }
        // manifest checksums
        let mp = folder.join("manifest.json");
        let mut text = fs::read_to_string(&mp).unwrap();
        let m: serde_json::Value = serde_json::from_str(&text).unwrap();
        for pair in m["outputs"].as_array().unwrap() {
            let (n, sum) = (pair[0].as_str().unwrap(), pair[1].as_str().unwrap());
            if n.ends_with(".csv") {
                let now = sha256_of_file(&folder.join(n)).unwrap();
                if now != sum {
                    text = text.replace(sum, &now);
                }
            }
        }
        fs::write(&mp, text).unwrap();
    }
}
