//! Cells of columns in memory that is somebody else's: of numpy arrays and of Arrow.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::Arc;

use roughboard::table::{LentBytes, Moment, Value};

/// Columns of so few rows are read as objects sooner than it is asked how they lie in memory.
pub const FEW: usize = 1 << 6;

/// What keeps memory alive: a Python object, or an array of Arrow.
pub type Keeper = Arc<dyn Any + Send + Sync>;

/// Bits one after another, the lowest of a byte first, from a place on.
#[derive(Clone, Copy)]
pub struct Bits {
    bytes: *const u8,
    offset: usize,
}

impl Bits {
    /// # Safety
    /// All bits that are asked for lie in memory that lives as long as this.
    pub const unsafe fn new(bytes: *const u8, offset: usize) -> Self {
        Self { bytes, offset }
    }

    pub fn get(self, at: usize) -> bool {
        let bit = self.offset + at;
        // SAFETY: promised to `new`.
        unsafe { *self.bytes.add(bit / 8) >> (bit % 8) & 1 == 1 }
    }
}

/// Numbers of one type at equal distances.
pub struct Strided<T> {
    first: *const u8,
    /// Bytes from one number to the next.
    step: isize,
    kind: PhantomData<T>,
}

impl<T: Copy> Strided<T> {
    /// # Safety
    /// All numbers that are asked for lie in memory that lives as long as this, and every pattern of bits is a `T`.
    pub const unsafe fn new(first: *const u8, step: isize) -> Self {
        Self { first, step, kind: PhantomData }
    }

    pub fn get(&self, at: usize) -> T {
        // SAFETY: promised to `new`; numbers of numpy need not be aligned.
        unsafe { self.first.offset(self.step * at as isize).cast::<T>().read_unaligned() }
    }

    /// The first `n` numbers, if they stand side by side.
    pub fn slice(&self, n: usize) -> Option<&[T]> {
        let first = self.first.cast::<T>();
        let is_slice = self.step == size_of::<T>() as isize && first.is_aligned() && !first.is_null();
        // SAFETY: promised to `new`; the numbers are aligned and side by side.
        is_slice.then(|| unsafe { std::slice::from_raw_parts(first, n) })
    }
}

/// Texts of Arrow.
pub enum Texts {
    /// Behind each text begins the next; the first ends at the second of these places.
    Small {
        ends: Strided<i32>,
        bytes: *const u8,
    },
    Large {
        ends: Strided<i64>,
        bytes: *const u8,
    },
    /// Short texts in place, others as a place in one of some buffers.
    Views {
        views: Strided<[u8; 16]>,
        buffers: Vec<*const u8>,
    },
}

impl Texts {
    /// The bytes of a text.
    pub fn get(&self, at: usize) -> &[u8] {
        let within = |bytes: *const u8, begin: usize, end: usize| match end.saturating_sub(begin) {
            0 => &[][..],
            // SAFETY: who made this promised that the places are right.
            length => unsafe { std::slice::from_raw_parts(bytes.add(begin), length) },
        };
        match self {
            Self::Small { ends, bytes } => within(*bytes, ends.get(at) as usize, ends.get(at + 1) as usize),
            Self::Large { ends, bytes } => within(*bytes, ends.get(at) as usize, ends.get(at + 1) as usize),
            Self::Views { views, buffers } => {
                let number = |place: usize| {
                    let view = views.get(at);
                    u32::from_le_bytes([view[place], view[place + 1], view[place + 2], view[place + 3]]) as usize
                };
                match number(0) {
                    length @ 0..=12 => within(views.place(at), 4, 4 + length),
                    length => {
                        let begin = number(12);
                        buffers.get(number(8)).map_or(&[], |bytes| within(*bytes, begin, begin + length))
                    }
                }
            }
        }
    }
}

impl Strided<[u8; 16]> {
    /// Where one of them stands.
    fn place(&self, at: usize) -> *const u8 {
        self.first.wrapping_offset(self.step * at as isize)
    }
}

/// Decimal numbers of 32, 64, 128 or 256 bits, as many bytes one from the next.
pub struct Decimals {
    first: *const u8,
    bytes: usize,
}

impl Decimals {
    /// # Safety
    /// All numbers that are asked for lie in memory that lives as long as this. They have at most 32 bytes.
    pub const unsafe fn new(first: *const u8, bytes: usize) -> Self {
        Self { first, bytes }
    }

    /// The two's complement of a number, the most significant byte first.
    pub fn get(&self, at: usize) -> [u8; 32] {
        // SAFETY: promised to `new`.
        let own = unsafe { std::slice::from_raw_parts(self.first.add(at * self.bytes), self.bytes) };
        let is_negative = own.last().is_some_and(|&byte| byte >= 0x80);
        let mut number = [if is_negative { 0xff } else { 0 }; 32];
        number.iter_mut().rev().zip(own).for_each(|(byte, own)| *byte = *own);
        number
    }
}

/// The cells of a block.
pub enum Cells {
    /// None of them is given.
    Missing,
    Bits(Bits),
    /// Booleans in bytes; what is not 0 is true.
    Bytes(Strided<u8>),
    I8(Strided<i8>),
    I16(Strided<i16>),
    I32(Strided<i32>),
    I64(Strided<i64>),
    U8(Strided<u8>),
    U16(Strided<u16>),
    U32(Strided<u32>),
    U64(Strided<u64>),
    F32(Strided<f32>),
    F64(Strided<f64>),
    Texts(Texts),
    /// Dates or times, as whole numbers of 32 or 64 bits.
    Moments {
        numbers: Box<Cells>,
        moment: Moment,
    },
    Decimals {
        numbers: Decimals,
        scale: usize,
    },
    /// Places in a dictionary, and what a user should know of it; a place outside of it is no value.
    Coded {
        places: Box<Cells>,
        values: Arc<Vec<Value>>,
        note: Option<String>,
    },
    /// Values as numbers of different ones, and what a user should know of them.
    Values {
        codes: Vec<u32>,
        values: Vec<Value>,
        note: Option<String>,
    },
}

/// Some cells of a column, one after another.
pub struct Block {
    pub cells: Cells,
    pub len: usize,
    /// Which cells are given; all if there is nothing.
    pub given: Option<Bits>,
    /// Held as long as the cells are looked at.
    pub keeper: Option<Keeper>,
    /// Whether nobody is to write to the cells as long as they are held, so that a table may hold them in place of a copy:
    /// unless it is asked for a copy of its own, the user promises that.
    pub is_fixed: bool,
}

/// Bytes with what keeps them.
struct Kept {
    first: *const u8,
    len: usize,
    #[expect(dead_code, reason = "it is there to be dropped last")]
    keeper: Keeper,
}

impl AsRef<[u8]> for Kept {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: so many bytes lie there, and are kept.
        unsafe { std::slice::from_raw_parts(self.first, self.len) }
    }
}

// SAFETY: the bytes are only read.
unsafe impl Send for Kept {}
// SAFETY: as above.
unsafe impl Sync for Kept {}

// SAFETY: what the pointers lead to is only read, and is kept by `keeper`.
unsafe impl Send for Block {}
// SAFETY: as above.
unsafe impl Sync for Block {}

impl Block {
    /// Whether a cell is given.
    pub fn is_given(&self, at: usize) -> bool {
        self.given.is_none_or(|given| given.get(at))
    }

    /// These bytes, which are all cells of the block, to be held by others; `None` if somebody may write to them.
    pub fn lent(&self, bytes: &[u8]) -> Option<LentBytes> {
        let keeper = self.keeper.clone().filter(|_| self.is_fixed)?;
        Some(Arc::new(Kept { first: bytes.as_ptr(), len: bytes.len(), keeper }))
    }
}
