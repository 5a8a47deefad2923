//! The plot of the benchmarks: a line per program, a dot per peer, on a logarithmic axis.

use super::peers::Kind;
use super::row::Row;
use plotters::prelude::*;
use std::path::Path;

/// Draws futc's time over that of each peer.
pub fn draw(path: &Path, rows: &[Row], kinds: &[Kind]) -> Result<(), String> {
    picture(path, rows, kinds).map_err(|e| format!("{}: {e}", path.display()))
}

fn colour(kind: Kind) -> RGBColor {
    match kind {
        Kind::Gcc => RGBColor(0xd5, 0x5e, 0x00),
        Kind::Clang => RGBColor(0x00, 0x72, 0xb2),
        Kind::Openmp => RGBColor(0x56, 0xb4, 0xe9),
        Kind::Parlay => RGBColor(0xf0, 0xe4, 0x42),
        Kind::Numpy => RGBColor(0x00, 0x9e, 0x73),
        Kind::Jax => RGBColor(0xcc, 0x79, 0xa7),
        Kind::Numba => RGBColor(0xe6, 0x9f, 0x00),
    }
}

fn picture(path: &Path, rows: &[Row], kinds: &[Kind]) -> Result<(), Box<dyn std::error::Error>> {
    let ratios = || rows.iter().flat_map(|r| kinds.iter().filter_map(|k| r.ratio_to(*k)));
    let low = ratios().fold(0.5, f64::min) / 1.2;
    let high = ratios().fold(2.0, f64::max) * 1.2;
    let height = 110 + 24 * u32::try_from(rows.len())?;
    let area = SVGBackend::new(path, (800, height)).into_drawing_area();
    area.fill(&WHITE)?;
    // The first program is on top.
    let names: Vec<&str> = rows.iter().rev().map(|r| r.name.as_str()).collect();
    let mut chart = ChartBuilder::on(&area)
        .caption("futc's time over that of its peers", ("sans-serif", 18))
        .margin(10)
        .x_label_area_size(40)
        .y_label_area_size(150)
        .build_cartesian_2d((low..high).log_scale(), (0..names.len()).into_segmented())?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.1))
        .x_label_formatter(&|x| format!("{}", (x * 100.0).round() / 100.0))
        .x_desc("below 1, futc is quicker")
        .y_labels(names.len() + 1)
        .y_label_formatter(&|y| match y {
            SegmentValue::CenterOf(i) => (*names.get(*i).unwrap_or(&"")).to_string(),
            SegmentValue::Exact(_) | SegmentValue::Last => String::new(),
        })
        .draw()?;
    let ends = [(1.0, SegmentValue::Exact(0)), (1.0, SegmentValue::Last)];
    chart.draw_series(std::iter::once(PathElement::new(ends, BLACK)))?;
    for kind in kinds {
        let colour = colour(*kind);
        let dots = rows.iter().rev().enumerate().filter_map(|(i, r)| {
            let at = (r.ratio_to(*kind)?, SegmentValue::CenterOf(i));
            Some(Circle::new(at, 5, colour.mix(0.8).filled()))
        });
        chart
            .draw_series(dots)?
            .label(kind.name())
            .legend(move |at| Circle::new(at, 5, colour.mix(0.8).filled()));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.8))
        .draw()?;
    area.present()?;
    Ok(())
}
