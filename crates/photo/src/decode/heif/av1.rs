//! Still pictures coded as AV1. The decoder has the interface of a C library: all unsafe code of this crate is here.

use std::mem::MaybeUninit;
use std::ptr::NonNull;

use heifer::heifer_hevc_dec::recon::Frame;
use re_rav1d::include::dav1d::data::Dav1dData;
use re_rav1d::include::dav1d::dav1d::{Dav1dContext, Dav1dSettings};
use re_rav1d::include::dav1d::picture::Dav1dPicture;
use re_rav1d::src::lib::{
    dav1d_close, dav1d_data_create, dav1d_data_unref, dav1d_default_settings, dav1d_get_picture, dav1d_open,
    dav1d_picture_unref, dav1d_send_data,
};

use super::points::CodePoints;
use crate::decode::{DecodeError, MAX_PIXELS};

/// Return value of the decoder (EAGAIN): send more data, or take a picture first.
const AGAIN: i32 = -11;
/// Maximum number of times that data is sent and a picture asked for. A still picture takes few.
const MAX_STEPS: usize = 1000;

/// Decodes the first picture in open bitstream units, and what its header says about its colors. The sides of its luma are
/// made even by repeating the last column and row.
pub(super) fn decode(units: &[u8]) -> Result<(Frame, CodePoints), DecodeError> {
    let mut decoder = Decoder::open(units)?;
    for _ in 0..MAX_STEPS {
        if let Some(picture) = decoder.step()? {
            return picture.copied();
        }
    }
    Err(damaged("no picture"))
}

fn damaged(what: impl std::fmt::Display) -> DecodeError {
    DecodeError::Damaged(format!("AV1: {what}"))
}

fn check(code: i32) -> Result<(), DecodeError> {
    if code == 0 { Ok(()) } else { Err(damaged(format!("error {code}"))) }
}

/// A decoder and the data that it has not taken yet.
struct Decoder {
    context: Option<Dav1dContext>,
    data: Dav1dData,
}

impl Decoder {
    fn open(units: &[u8]) -> Result<Self, DecodeError> {
        let mut decoder = Self { context: None, data: Dav1dData::default() };
        let mut settings = MaybeUninit::<Dav1dSettings>::uninit();
        // SAFETY: the first function writes all settings. An empty logger has no callback, which is valid. The context is written
        // to where the next one points, and only `drop` closes it.
        unsafe {
            dav1d_default_settings(NonNull::from(&mut settings).cast());
            let mut settings = settings.assume_init();
            settings.n_threads = i32::try_from(rayon::current_num_threads()).unwrap_or(1);
            settings.max_frame_delay = 1;
            settings.all_layers = 0;
            settings.frame_size_limit = MAX_PIXELS as u32;
            settings.logger = std::mem::zeroed();
            check(dav1d_open(Some(NonNull::from(&mut decoder.context)), Some(NonNull::from(&mut settings))).0)?;
        }
        // SAFETY: the data is created with room for as many bytes as are copied into it.
        unsafe {
            let room = dav1d_data_create(Some(NonNull::from(&mut decoder.data)), units.len());
            if room.is_null() {
                return Err(damaged("no data"));
            }
            std::ptr::copy_nonoverlapping(units.as_ptr(), room, units.len());
        }
        Ok(decoder)
    }

    /// Sends what is left of the data and asks for a picture; `None` if another step is needed.
    fn step(&mut self) -> Result<Option<Picture>, DecodeError> {
        let is_all_sent = self.data.sz == 0;
        if !is_all_sent {
            // SAFETY: context and data are valid until `drop`.
            let sent = unsafe { dav1d_send_data(self.context, Some(NonNull::from(&mut self.data))) };
            check(if sent.0 == AGAIN { 0 } else { sent.0 })?;
        }
        let mut picture = Picture(Dav1dPicture::default());
        // SAFETY: the context is valid until `drop`; the picture is written to where the pointer points.
        let got = unsafe { dav1d_get_picture(self.context, Some(NonNull::from(&mut picture.0))) };
        match got.0 {
            0 => Ok(Some(picture)),
            AGAIN if !is_all_sent => Ok(None),
            code => Err(damaged(format!("error {code}"))),
        }
    }
}

impl Drop for Decoder {
    fn drop(&mut self) {
        // SAFETY: each is given back once, and may be empty.
        unsafe {
            dav1d_data_unref(Some(NonNull::from(&mut self.data)));
            if self.context.is_some() {
                dav1d_close(Some(NonNull::from(&mut self.context)));
            }
        }
    }
}

/// A picture of the decoder.
struct Picture(Dav1dPicture);

impl Picture {
    fn copied(&self) -> Result<(Frame, CodePoints), DecodeError> {
        let picture = &self.0;
        let parameters = &picture.p;
        let (width, height) = (parameters.w as usize, parameters.h as usize);
        let depth = u8::try_from(parameters.bpc).map_err(damaged)?;
        // SAFETY: a decoded picture points to the sequence header that it belongs to.
        let header = unsafe { picture.seq_hdr.ok_or_else(|| damaged("no header"))?.as_ref() };
        let points = CodePoints {
            primaries: header.pri as u16,
            transfer: header.trc as u16,
            matrix: header.mtrx as u16,
            is_full_range: header.color_range != 0,
        };
        // 4:0:0, 4:2:0, 4:2:2 and 4:4:4, numbered as in HEVC.
        let (across, down) = match parameters.layout {
            0 => (0, 0),
            1 => (2, 2),
            2 => (2, 1),
            _ => (1, 1),
        };
        let even = |side: usize| side + side % 2;
        let sizes = match across {
            0 => [(even(width), even(height)), (0, 0), (0, 0)],
            _ => [(even(width), even(height)); 3],
        };
        let mut frame = Frame {
            widths: [0; 3],
            heights: [0; 3],
            planes: Default::default(),
            bit_depth: [depth; 2],
            chroma_format: parameters.layout as u8,
            full_range: points.is_full_range,
            matrix_coeffs: points.matrix as u8,
        };
        for (plane, (to_width, to_height)) in sizes.into_iter().enumerate() {
            let (across, down) = if plane == 0 { (1, 1) } else { (across.max(1), down.max(1)) };
            let (to_width, to_height) = (to_width / across, to_height / down);
            if to_width == 0 {
                continue;
            }
            let (width, height) = (width.div_ceil(across), height.div_ceil(down));
            let stride = picture.stride[usize::from(plane > 0)];
            let start = picture.data[plane].ok_or_else(|| damaged("no samples"))?.cast::<u8>();
            let mut samples = Vec::with_capacity(to_width * to_height);
            for y in 0..to_height {
                // SAFETY: each plane has `height` rows, `stride` bytes apart, of `width` samples of one byte, or of two for more than 8
                // bits, for which rows are aligned.
                unsafe {
                    let row = start.offset(stride * y.min(height - 1) as isize);
                    match depth {
                        8 => samples
                            .extend(std::slice::from_raw_parts(row.as_ptr(), width).iter().map(|v| u16::from(*v))),
                        _ => samples.extend_from_slice(std::slice::from_raw_parts(row.cast::<u16>().as_ptr(), width)),
                    }
                }
                samples.resize((y + 1) * to_width, samples.last().copied().unwrap_or_default());
            }
            frame.planes[plane] = samples;
            frame.widths[plane] = to_width as u32;
            frame.heights[plane] = to_height as u32;
        }
        Ok((frame, points))
    }
}

impl Drop for Picture {
    fn drop(&mut self) {
        // SAFETY: a picture is given back once, and may be empty.
        unsafe { dav1d_picture_unref(Some(NonNull::from(&mut self.0))) };
    }
}
