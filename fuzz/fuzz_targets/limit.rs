//! The memory that reading a small input may ask for at once.

use std::alloc::{GlobalAlloc, Layout, System};

/// Inputs have some thousand bytes: what asks for so much believed a number in them.
const MOST: usize = 256 << 20;

struct Limited;

#[global_allocator]
static LIMITED: Limited = Limited;

fn check(bytes: usize) {
    if bytes > MOST {
        eprintln!("{bytes} bytes asked for at once");
        std::process::abort();
    }
}

// SAFETY: what is not refused is the allocator of the system.
unsafe impl GlobalAlloc for Limited {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        check(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        check(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        check(size);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(old, layout, size) }
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(old, layout) }
    }
}
