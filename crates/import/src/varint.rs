//! Numbers of variable length, in seven bits a byte, the lowest first: in Protocol Buffers and in PMTiles.

/// Reads a number from the start of `rest`, and moves `rest` behind it. `None` if it does not end within ten bytes.
pub(crate) fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0_u64;
    for shift in (0..64).step_by(7) {
        let (first, after) = rest.split_first()?;
        *rest = after;
        value |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}
