//! What must hold for any bytes in the place of a record of games, or of a part of one.

use roughboard::game::{BoardGame, Game, Notation};
use roughboard::games::connect6::Connect6;
use roughboard::games::surakarta::Surakarta;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::record::{Account, Date, Encoding, GameRecord, Policy, ReadSettings, read_bytes, to_pgn};
use roughboard::settings::Choices;

use super::again;

const NAMES: [&str; 8] = ["x.pgn", "x", "x.tar", "x.zip", "x.tar.zst", "x.pgn.gz", "x.txz", "x.html"];

/// Reads a document; whatever it is, every record is kept or dropped.
fn read<G: BoardGame>(name: &str, bytes: &[u8], settings: ReadSettings) -> (Vec<GameRecord<G>>, Account) {
    let (games, account) = read_bytes::<G>(name, bytes, settings).expect("what is damaged is dropped");
    assert_eq!(account.kept(), games.len() as u64);
    assert_eq!(account.read(), account.kept() + account.dropped().len() as u64);
    (games, account)
}

/// Games in text are written and read again.
pub fn pgn(bytes: &[u8]) {
    let (games, _) = read::<Xiangqi>("x.pgn", bytes, Policy::Drop.into());
    if !games.is_empty() {
        let text = games.iter().map(to_pgn).collect::<Vec<_>>().join("\n");
        let (again, _) = read::<Xiangqi>("again.pgn", text.as_bytes(), Policy::Drop.into());
        assert_eq!(again.len(), games.len(), "{text}");
    }
}

/// Any document: encodings, formats, packings and archives. The first byte chooses the encoding and the ending of the name.
pub fn bytes(bytes: &[u8]) {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    let encoding = Encoding::ALL[usize::from(choice / 8) % Encoding::ALL.len()];
    let settings = ReadSettings { encoding, max_unpacked: 1 << 22, ..ReadSettings::default() };
    read::<Xiangqi>(NAMES[usize::from(choice) % NAMES.len()], bytes, settings);
}

/// An XQF file of any version, from behind its first two bytes.
pub fn xqf(bytes: &[u8]) {
    let mut file = [b"XQ", bytes].concat();
    file.resize(file.len().max(0x408), 0);
    file[2] = 1 + file[2] % 18;
    let (_, account) = read::<Xiangqi>("x.xqf", &file, Policy::Drop.into());
    assert_eq!(account.read(), 1);
}

/// Text with records of DhtmlXQ in it.
pub fn dhtmlxq(bytes: &[u8]) {
    read::<Xiangqi>("x.html", &[b"[DhtmlXQ]\n", bytes].concat(), Policy::Drop.into());
}

/// Records of Connect6: SGF, the text of the championships, and PGN.
pub fn connect6(bytes: &[u8]) {
    read::<Connect6>("x.sgf", bytes, Policy::Drop.into());
}

/// Records of Surakarta.
pub fn surakarta(bytes: &[u8]) {
    read::<Surakarta>("x.pgn", bytes, Policy::Drop.into());
}

/// A position in the first line, moves after it: every move that is understood is legal.
pub fn xiangqi_move(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (fen, moves) = text.split_once('\n').unwrap_or(("", text));
    let mut game = Xiangqi::from_notation(fen).unwrap_or_else(|_| Xiangqi::start());
    let mut legal = Vec::new();
    for text in moves.split_whitespace().take(100) {
        let Ok(mv) = game.parse_move(text) else { continue };
        legal.clear();
        game.legal_moves(&mut legal);
        assert!(legal.contains(&mv), "{text}");
        game.play(mv);
    }
}

/// A position in text.
pub fn fen(bytes: &[u8]) {
    again(bytes, |text| Xiangqi::from_notation(text).ok(), Notation::notation);
}

/// A date.
pub fn date(bytes: &[u8]) {
    if let Some([first, second]) = again(bytes, Date::parse, ToString::to_string) {
        assert_eq!(second, first);
    }
}
