//! Large tables on large pages: a look-up then misses the processor's page tables far less often.

/// Asks the system to back the spare room of `buffer` with large pages, where it has a say in that. Only speed depends on it.
#[cfg(target_os = "linux")]
pub(super) fn advise_large_pages<T>(buffer: &mut Vec<T>) {
    const PAGE: usize = 2 << 20;
    let spare = buffer.spare_capacity_mut();
    let (begin, bytes) = (spare.as_mut_ptr().cast::<u8>(), size_of_val(spare));
    let skipped = begin.align_offset(PAGE);
    if bytes >= skipped.saturating_add(PAGE) {
        let length = (bytes - skipped) / PAGE * PAGE;
        // SAFETY: the range lies within memory that `buffer` owns, and the advice does not change what it holds.
        unsafe { libc::madvise(begin.add(skipped).cast(), length, libc::MADV_HUGEPAGE) };
    }
}

/// Other systems decide by themselves.
#[cfg(not(target_os = "linux"))]
pub(super) const fn advise_large_pages<T>(_buffer: &mut Vec<T>) {}
