//! The graphics device: a GPU where there is one, else Mesa's software rasterizer.

use crate::RenderError;

/// An open device.
pub struct Gpu {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    info: wgpu::AdapterInfo,
}

impl Gpu {
    /// Opens the best device of this machine.
    ///
    /// # Errors
    /// [`RenderError::NoDevice`] where no Vulkan driver is installed or none can draw.
    pub fn open() -> Result<Self, RenderError> {
        let mut description = wgpu::InstanceDescriptor::new_without_display_handle();
        description.backends = wgpu::Backends::VULKAN;
        description.flags = wgpu::InstanceFlags::empty();
        let instance = wgpu::Instance::new(description);
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        }))
        .map_err(|e| RenderError::NoDevice(e.to_string()))?;
        let info = adapter.get_info();
        let limits =
            wgpu::Limits { max_buffer_size: 1 << 30, max_storage_buffer_binding_size: 1 << 29, ..Default::default() };
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("aerie"),
            required_limits: limits.or_worse_values_from(&adapter.limits()),
            ..Default::default()
        }))
        .map_err(|e| RenderError::NoDevice(e.to_string()))?;
        Ok(Self { device, queue, info })
    }

    /// Whether frames are rendered on the CPU.
    #[must_use]
    pub fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }

    /// Name of the device and its driver, for people.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{} ({} {})", self.info.name, self.info.driver, self.info.driver_info)
    }
}
