use roughboard::eval::xiangqi::factory;
use roughboard::game::Game;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::search::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let d: u32 = a[1].parse().unwrap();
    let fens = [
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
        "1rbaka1r1/9/2n1b1nc1/p1p1p2Rp/6p2/2P6/P3P1P1P/2C1C1N2/Rc7/1NBAKAB2 w",
        "5k3/1C7/4c2RC/p1p6/9/2P6/4r4/B4A3/9/3A1Kc2 b",
    ];
    let mut st = serde_json::to_value(SearchSettings::default()).unwrap();
    st["transposition_mb"] = 64.into();
    for kv in &a[2..] {
        let (k, v) = kv.split_once('=').unwrap();
        st[k] = serde_json::from_str(v).unwrap_or(serde_json::Value::String(v.into()));
    }
    let st: SearchSettings = serde_json::from_value(st).unwrap();
    for f in fens {
        let mut p = Xiangqi::from_notation(f).unwrap();
        let mut e = (factory("traditional").unwrap())();
        let t = std::time::Instant::now();
        let mut s = AlphaBeta::new(st);
        let stopper = Stopper::new();
        let mut es = [(factory("traditional").unwrap())()];
        let _ = &mut e;
        let r = s.search_with(
            &mut p,
            &mut es,
            Limits::to_depth(d).unwrap(),
            &mut Control {
                stopper: &stopper,
                excluded: &[],
                lines: 1,
                report: &mut |i: Iteration<'_, _>| {
                    if std::env::var("V").is_ok() {
                        println!("d{} sd{} {} n{} {:?}", i.depth, i.seldepth, i.score, i.nodes, i.pv)
                    }
                },
            },
        );
        let el = t.elapsed().as_secs_f64();
        println!(
            "{:?} {} depth {} nodes {} nw {} {:.2}s {:.2}M/s",
            r.best,
            r.score,
            r.depth,
            r.nodes,
            r.null_windows,
            el,
            r.nodes as f64 / el / 1e6
        );
    }
}
