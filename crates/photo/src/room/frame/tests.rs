use super::*;

/// Edges and surface marks of a box, as seen by a camera at its center.
fn box_lines(camera: &Camera) -> Vec<Segment> {
    let mut lines = Vec::new();
    let mut add = |a: DVec3, b: DVec3| {
        let inside = |p: DVec2| p.x > 0.0 && p.y > 0.0 && p.x < camera.width as f64 && p.y < camera.height as f64;
        if let (Some(a), Some(b)) = (camera.pixel(a), camera.pixel(b))
            && inside(a)
            && inside(b)
        {
            lines.push(Segment::new(a.to_array(), b.to_array()));
        }
    };
    let at = |i: i32| f64::from(i) * 0.4;
    for i in -5..=5 {
        for y in [2.0, 3.5] {
            add(DVec3::new(at(i), y, -1.4), DVec3::new(at(i), y + 0.7, -1.4));
            add(DVec3::new(at(i), y, -1.4), DVec3::new(at(i) + 0.4, y, -1.4));
        }
        add(DVec3::new(at(i), 4.0, -1.0), DVec3::new(at(i), 4.0, 0.8));
        add(DVec3::new(at(i), 4.0, 1.2), DVec3::new(at(i) + 0.5, 4.0, 1.2));
        add(DVec3::new(-2.0, 2.5 + 0.1 * at(i), -1.0), DVec3::new(-2.0, 2.5 + 0.1 * at(i), 0.6));
    }
    lines
}

#[test]
fn a_camera_is_recovered_from_the_segments_it_sees() {
    for (focal, pitch, roll, yaw) in
        [(700.0, 0.0, 0.0, 0.3), (900.0, -0.15, 0.04, -0.5), (1000.0, -0.2, -0.05, 0.3), (640.0, -0.3, 0.0, 0.7)]
    {
        let camera = Camera::turned(1200, 800, focal, pitch, roll, yaw);
        let lines = box_lines(&camera);
        let frame = Frame::find(&lines, 1200, 800, &Hints::default()).expect("a frame");
        let off = frame.camera.up().angle_between(camera.up()).to_degrees();
        assert!(off < 0.2, "vertical {off} degrees off at yaw {yaw}");
        let error = frame.camera.focal / focal - 1.0;
        assert!(error.abs() < 0.03, "focal {error} off at yaw {yaw}");
        let turn = (frame.camera.yaw() - yaw).rem_euclid(std::f64::consts::FRAC_PI_2);
        assert!(turn.min(std::f64::consts::FRAC_PI_2 - turn) < 0.01, "yaw {} for {yaw}", frame.camera.yaw());
        assert!(frame.share() > 0.95 && frame.focal_sharpness > 0.5, "{frame:?}");
    }
}

#[test]
fn a_frontal_wall_does_not_determine_the_focal_length_and_the_frame_says_so() {
    let camera = Camera::turned(1200, 800, 900.0, 0.0, 0.0, 0.0);
    let lines: Vec<Segment> = (0..12)
        .flat_map(|i| {
            let t = 100.0 + 50.0 * f64::from(i);
            [Segment::new([t, 100.0], [t, 400.0]), Segment::new([100.0, t], [500.0, t])]
        })
        .collect();
    let frame = Frame::find(&lines, camera.width, camera.height, &Hints::default()).expect("a frame");
    assert!(frame.focal_sharpness < 0.2, "{} in {:?}", frame.focal_sharpness, frame.focal_range);
}

#[test]
fn a_given_focal_length_is_respected() {
    let camera = Camera::turned(1200, 800, 900.0, -0.1, 0.02, 0.35);
    let hints = Hints { focal: Some(905.0), ..Hints::default() };
    let frame = Frame::find(&box_lines(&camera), 1200, 800, &hints).expect("a frame");
    assert!((frame.camera.focal - 900.0).abs() < 10.0, "{}", frame.camera.focal);
}

#[test]
fn few_segments_give_no_frame() {
    assert!(Frame::find(&[Segment::new([0.0, 0.0], [10.0, 10.0])], 100, 100, &Hints::default()).is_none());
}
