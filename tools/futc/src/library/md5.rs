//! MD5 (RFC 1321), which the reference compiler names types by that have no readable name. Nothing else is to
//! use it: it is no protection against anybody.

/// The hash in hexadecimal digits.
pub fn md5(bytes: &[u8]) -> String {
    let mut message = bytes.to_vec();
    message.push(0x80);
    while message.len() % 64 != 56 {
        message.push(0);
    }
    message.extend((bytes.len() as u64).wrapping_mul(8).to_le_bytes());
    let mut state = [0x6745_2301u32, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    for block in message.chunks_exact(64) {
        let mut words = [0u32; 16];
        for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
            *word = bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
        }
        state = round(state, &words);
    }
    let bytes = state.iter().flat_map(|word| word.to_le_bytes());
    bytes.map(|byte| format!("{byte:02x}")).collect()
}

fn round(state: [u32; 4], words: &[u32; 16]) -> [u32; 4] {
    const SHIFTS: [[u32; 4]; 4] =
        [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];
    let [mut a, mut b, mut c, mut d] = state;
    for i in 0..64usize {
        let (mix, at) = match i / 16 {
            0 => ((b & c) | (!b & d), i),
            1 => ((d & b) | (!d & c), 5 * i + 1),
            2 => (b ^ c ^ d, 3 * i + 5),
            _ => (c ^ (b | !d), 7 * i),
        };
        // The constants are those of the sine, by the standard's own definition.
        let constant = (((i + 1) as f64).sin().abs() * 4_294_967_296.0) as u32;
        let word = words.get(at % 16).copied().unwrap_or_default();
        let sum = a.wrapping_add(mix).wrapping_add(constant).wrapping_add(word);
        let shift = SHIFTS.get(i / 16).and_then(|s| s.get(i % 4)).copied().unwrap_or_default();
        (a, d, c, b) = (d, c, b, b.wrapping_add(sum.rotate_left(shift)));
    }
    let [a0, b0, c0, d0] = state;
    [a.wrapping_add(a0), b.wrapping_add(b0), c.wrapping_add(c0), d.wrapping_add(d0)]
}

#[cfg(test)]
mod tests {
    use super::md5;

    #[test]
    fn hashes_of_the_standard() {
        assert_eq!(md5(b""), "d41d8cd98f00b204e9800998ecf8427e");
        assert_eq!(md5(b"message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
        assert_eq!(
            md5(
                b"12345678901234567890123456789012345678901234567890123456789012345678901234567890"
            ),
            "57edf4a22be3c955ac49da2e2107b67a"
        );
    }
}
