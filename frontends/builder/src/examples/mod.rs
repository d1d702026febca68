//! The programs of the papers, written with the builder, a file each: `examples/NAME.mlir` are their texts. They import the prelude, as
//! any user of the builder does, and [`Example`] from its own file.

mod bilateral_grid;
mod camera_pipe;
mod canny;
mod equalize_colors;
mod example;
mod harris_rgb;
mod heat;
mod histogram_equalize;
mod iir_blur;
mod interpolate;
mod layers;
mod lens_blur;
mod local_laplacian;
mod matmul;
mod max_filter;
mod nl_means;
mod pyramid_blend;
mod stencil_chain;

pub use example::Example;

/// All of them, in the order of docs/examples.md.
pub static EXAMPLES: &[&Example] = &[
    &harris_rgb::EXAMPLE,
    &camera_pipe::EXAMPLE,
    &interpolate::EXAMPLE,
    &pyramid_blend::EXAMPLE,
    &local_laplacian::EXAMPLE,
    &max_filter::EXAMPLE,
    &canny::EXAMPLE,
    &stencil_chain::EXAMPLE,
    &heat::HEAT_1D,
    &heat::HEAT_2D,
    &heat::HEAT_3D,
    &matmul::EXAMPLE,
    &layers::CONV_LAYER,
    &layers::VDSR,
    &iir_blur::EXAMPLE,
    &histogram_equalize::EXAMPLE,
    &equalize_colors::EXAMPLE,
    &bilateral_grid::EXAMPLE,
    &nl_means::EXAMPLE,
    &lens_blur::EXAMPLE,
];

/// Programs of which another size is tested than the one in `examples`: `test/Examples/Inputs/NAME.mlir`.
pub static SMALL: &[&Example] = &[&layers::VDSR_SMALL, &lens_blur::SMALL];

/// The program of this name.
pub fn find(name: &str) -> Option<&'static Example> {
    EXAMPLES.iter().copied().find(|example| example.name == name)
}
