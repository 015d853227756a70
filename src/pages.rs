//! Large memory on large pages: the system hands it over in fewer pieces, and a look-up in it misses the processor's page
//! tables far less often. Only speed depends on it; systems other than Linux decide by themselves.
//!
//! Large pages are asked for that memory only begins or ends in, so that buffers side by side share them.

/// Bytes in a line of the processor's cache.
pub const LINE: usize = 64;

/// Has `memory` come on large pages when it is first written to. What was written before stays where it is.
pub fn advise_large_pages<T>(memory: &mut [T]) {
    #[cfg(target_os = "linux")]
    linux::advise(memory, libc::MADV_HUGEPAGE);
}

/// Nothing yet, with room for `n` that comes on large pages as it is filled.
pub fn with_large_room<T>(n: usize) -> Vec<T> {
    let mut room = Vec::with_capacity(n);
    advise_large_pages(room.spare_capacity_mut());
    room
}

/// Whether there is memory for `bytes` more.
pub fn has_room(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}

/// Puts `memory` on large pages at once, all of which is about to be written to. It may be small, as long as there is more
/// beside it: the notes that an allocator keeps between buffers are moved along.
pub fn take_large_pages<T>(memory: &mut [T]) {
    #[cfg(target_os = "linux")]
    linux::advise(memory, libc::MADV_COLLAPSE);
}

/// Has the processor bring the line of `memory` that begins at `at` near, for it is about to be read. There may be no such place.
#[inline]
pub fn prefetch<T>(memory: &[T], at: usize) {
    bring_near::<T, 3>(memory, at);
}

/// As [`prefetch`], for a line that is read later: it comes no nearer than the second-level cache, for which more lines can be on
/// their way at once.
#[inline]
pub fn prefetch_early<T>(memory: &[T], at: usize) {
    bring_near::<T, 2>(memory, at);
}

/// The processor's hint 3 is for all caches, and 2 for all but the nearest.
#[inline]
fn bring_near<T, const HINT: i32>(memory: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        // SAFETY: nothing is read, and no address is refused.
        unsafe { std::arch::x86_64::_mm_prefetch::<HINT>(memory.as_ptr().wrapping_add(at).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (memory, at);
}

#[cfg(target_os = "linux")]
mod linux {
    /// The size of a large page.
    const PAGE: usize = 2 << 20;
    /// Less than this is had quickly from small pages, too.
    const LITTLE: usize = PAGE / 8;

    pub(super) fn advise<T>(memory: &mut [T], advice: libc::c_int) {
        let (begin, bytes) = (memory.as_mut_ptr().cast::<libc::c_void>(), size_of_val(memory));
        if bytes >= LITTLE {
            let before = begin.addr() % PAGE;
            let length = (before + bytes).next_multiple_of(PAGE);
            // SAFETY: neither advice changes what memory holds, whose ever it is, and where there is none it is refused.
            unsafe { libc::madvise(begin.wrapping_byte_sub(before), length, advice) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_has_room_for_little_and_not_for_everything() {
        assert!(has_room(1 << 20) && !has_room(1 << 60));
    }

    /// Advice may move memory, and never changes it, nor what lies beside it on the same pages.
    #[test]
    fn memory_keeps_what_it_holds() {
        const LENGTH: usize = 5 << 20;
        let mut memory: Vec<u8> = (0..LENGTH).map(|i| (i % 251) as u8).collect();
        for (from, to) in [(0, LENGTH), (1, LENGTH - 1), (4096, 3 << 20), (2_097_153, 2_500_000)] {
            advise_large_pages(&mut memory[from..to]);
            take_large_pages(&mut memory[from..to]);
        }
        assert!(memory.iter().enumerate().all(|(i, &byte)| byte == (i % 251) as u8));
        let mut room = with_large_room::<u64>(1 << 20);
        room.extend(0..1 << 20);
        assert!(room.capacity() >= 1 << 20 && room.iter().enumerate().all(|(i, &number)| number == i as u64));
    }
}
