//! Files of every format that Aerie makes, signed, changed and verified.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use aerie_credentials::{
    Action, ActionName, Authority, Disclosure, Identity, Ingredient, Relationship, Report, State, Statement,
};
use aerie_photo::report::ENHANCED;
use aerie_photo::{Format, OutputOptions, Picture};
use aerie_sign::{EmbedError, ReadError, embed, try_out, verify};
use rcgen::{
    CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair, KeyUsagePurpose, PKCS_ECDSA_P256_SHA256,
    PKCS_ECDSA_P384_SHA384, PKCS_ED25519, SignatureAlgorithm,
};
use tempfile::TempDir;

const YEAR: i32 = 2026;

/// A folder, an authority, and a signer with one of its certificates.
struct Fixture {
    folder: TempDir,
    authority: Authority,
    identity: Identity,
}

impl Fixture {
    fn new() -> Self {
        let authority = Authority::generate(YEAR).unwrap();
        let identity = authority.issue(YEAR).unwrap();
        Self { folder: tempfile::tempdir().unwrap(), authority, identity }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A picture of smooth colors; returns its bytes as well.
    fn picture(&self, name: &str, format: Format) -> (PathBuf, Vec<u8>) {
        let (width, height) = (320, 240);
        let pixels = (0..width * height).flat_map(|at| [at % width, at / width, at % 97].map(|v| (v % 256) as u8));
        let picture = Picture { width, height, pixels: pixels.collect() };
        let options = OutputOptions { format, ..OutputOptions::default() };
        let disclosure =
            aerie_photo::Disclosure { text: "Enhanced".into(), digital_source_type: ENHANCED, altered: false };
        let bytes = aerie_photo::encode(&picture, &options, &disclosure, &[], None).unwrap().bytes;
        let path = self.path(&format!("{name}.{}", format.extension()));
        std::fs::write(&path, &bytes).unwrap();
        (path, bytes)
    }

    fn sign(&self, path: &Path, statement: &Statement) {
        embed_by(&self.identity, path, statement).unwrap();
    }

    fn trusting(&self, path: &Path) -> Report {
        verify(path, Some(self.authority.certificate())).unwrap()
    }
}

fn embed_by(identity: &Identity, path: &Path, statement: &Statement) -> Result<(), EmbedError> {
    embed(path, statement, identity.certificate(), &|bytes| Ok(identity.sign(bytes)))
}

fn tried(identity: &Identity) -> Result<(), String> {
    try_out(identity.certificate(), &|bytes| Ok(identity.sign(bytes)))
}

/// A new file, drawn by an algorithm.
fn created() -> Statement {
    let created = Action {
        name: ActionName::Created,
        description: Some("a picture".to_owned()),
        source_type: Some("http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia".to_owned()),
        ingredients: Vec::new(),
    };
    let attributions = vec!["© OpenStreetMap contributors".to_owned()];
    let disclosure = Some(Disclosure { text: "drawn from map data".to_owned(), attributions });
    Statement { title: "a file".to_owned(), actions: vec![created], ingredients: Vec::new(), disclosure }
}

/// A version of an original.
fn opened(original: &Path) -> Statement {
    let opened = Action {
        name: ActionName::Opened,
        description: None,
        source_type: None,
        ingredients: vec!["image_url".to_owned()],
    };
    let adjusted = Action {
        name: ActionName::ColorAdjustments,
        description: Some("exposure +0.31 EV".to_owned()),
        source_type: Some(ENHANCED.to_owned()),
        ingredients: Vec::new(),
    };
    let ingredient = Ingredient {
        id: "image_url".to_owned(),
        path: original.to_owned(),
        title: "original photo".to_owned(),
        relationship: Relationship::ParentOf,
    };
    Statement {
        title: "image.jpg".to_owned(),
        actions: vec![opened, adjusted],
        ingredients: vec![ingredient],
        disclosure: None,
    }
}

fn change(path: &Path, at: usize) {
    let mut bytes = std::fs::read(path).unwrap();
    bytes[at] ^= 1;
    std::fs::write(path, bytes).unwrap();
}

/// A video of a second.
fn film(path: &Path) {
    let made = Command::new("ffmpeg")
        .args(["-v", "error", "-f", "lavfi", "-i", "testsrc=s=320x240:r=30:d=1", "-pix_fmt", "yuv420p"])
        .args(["-movflags", "+faststart", "-y"])
        .arg(path)
        .output()
        .expect("ffmpeg starts");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

#[test]
fn pictures_of_every_format_say_what_was_done_and_are_otherwise_unchanged() {
    let f = Fixture::new();
    for format in Format::ALL {
        let (path, plain) = f.picture("plain", format);
        assert!(matches!(verify(&path, None), Err(ReadError::None)), "{format:?}");
        let (original, _) = f.picture("original", Format::Jpeg);
        f.sign(&path, &opened(&original));
        let signed = std::fs::read(&path).unwrap();
        assert!(aerie_photo::without_credentials(&signed) == plain, "{format:?}");
        assert_eq!(verify(&path, None).unwrap().state, State::Valid);
        let report = f.trusting(&path);
        assert_eq!((report.state, &report.problems[..]), (State::Trusted, &[][..]), "{format:?}");
        let actions: Vec<&str> = report.actions.iter().map(|action| action.action.as_str()).collect();
        assert_eq!(actions, ["c2pa.opened", "c2pa.color_adjustments"]);
        assert_eq!(report.actions[1].description.as_deref(), Some("exposure +0.31 EV"));
        assert_eq!(report.actions[1].digital_source_type.as_deref(), Some(ENHANCED));
        let [ingredient] = &report.ingredients[..] else { panic!("{report:?}") };
        assert_eq!((ingredient.relationship.as_str(), ingredient.has_credentials), ("parentOf", false));
        assert!(ingredient.description.as_ref().is_some_and(|text| text.starts_with("SHA-256")), "{ingredient:?}");
        assert!(report.generator.is_some_and(|generator| generator.starts_with("Aerie ")));
        assert_eq!(report.signer.unwrap().organization.as_deref(), Some("Aerie"));
    }
}

#[test]
fn one_changed_byte_of_the_content_is_detected() {
    let f = Fixture::new();
    for format in Format::ALL {
        let (path, _) = f.picture("plain", format);
        f.sign(&path, &created());
        let end = std::fs::metadata(&path).unwrap().len() as usize;
        // Metadata follow the picture in WebP files, and a checksum and the end in PNG files.
        let at = if format == Format::Webp { end / 2 } else { end - 100 };
        change(&path, at);
        let report = f.trusting(&path);
        assert_eq!(report.state, State::Changed, "{format:?}: {report:?}");
        assert!(report.problems.iter().any(|problem| problem.contains("mismatch")), "{report:?}");
    }
}

#[test]
fn a_video_names_its_sources_and_a_changed_byte_is_detected() {
    let f = Fixture::new();
    let path = f.path("film.mp4");
    film(&path);
    f.sign(&path, &created());
    let report = f.trusting(&path);
    assert_eq!((report.state, &report.problems[..]), (State::Trusted, &[][..]));
    assert_eq!(report.disclosure.unwrap().attributions, ["© OpenStreetMap contributors"]);
    let probe = Command::new("ffmpeg").args(["-v", "error", "-i"]).arg(&path).args(["-f", "null", "-"]).output();
    assert!(probe.unwrap().stderr.is_empty(), "the video plays");
    let size = std::fs::metadata(&path).unwrap().len() as usize;
    change(&path, size - 2000);
    assert_eq!(f.trusting(&path).state, State::Changed);
}

#[test]
fn the_credentials_of_an_original_are_passed_on_intact_or_not() {
    let f = Fixture::new();
    for is_changed in [false, true] {
        let (first, _) = f.picture("first", Format::Jpeg);
        f.sign(&first, &created());
        if is_changed {
            let end = std::fs::metadata(&first).unwrap().len() as usize;
            change(&first, end - 100);
        }
        let (second, _) = f.picture("second", Format::Jpeg);
        f.sign(&second, &opened(&first));
        let report = f.trusting(&second);
        assert_eq!(report.state, State::Trusted, "{report:?}");
        let ingredient = &report.ingredients[0];
        assert_eq!((ingredient.has_credentials, ingredient.is_intact), (true, !is_changed), "{report:?}");
    }
}

#[test]
fn an_original_that_cannot_be_parsed_or_carries_too_much_is_named_without_its_credentials() {
    let f = Fixture::new();
    let (carrier, plain) = f.picture("carrier", Format::Jpeg);
    let garbage = f.path("garbage.jpg");
    let cut_off = [&plain[..2], b"\xFF\xEB\xFF\xFFJP\0\x01\0\0\0\x01jumb".as_slice(), &plain[2..]].concat();
    // Credentials of 1.5 MB: text that is signed.
    let (large, _) = f.picture("large", Format::Png);
    let text = "x".repeat(1_500_000);
    f.sign(&large, &Statement { disclosure: Some(Disclosure { text, attributions: Vec::new() }), ..created() });
    for original in [b"no picture".to_vec(), Vec::new(), cut_off, std::fs::read(&large).unwrap()] {
        std::fs::write(&garbage, &original).unwrap();
        let (path, _) = f.picture("made", Format::Jpeg);
        f.sign(&path, &opened(&garbage));
        let report = f.trusting(&path);
        assert_eq!((report.state, report.ingredients[0].has_credentials), (State::Trusted, false), "{report:?}");
        let description = report.ingredients[0].description.as_deref().unwrap_or_default();
        assert_eq!(description.contains("larger than 1 MiB"), original.len() > 1_000_000, "{description}");
        let size = std::fs::metadata(&path).unwrap().len();
        assert!(size < plain.len() as u64 + 50_000, "{size}");
    }
    drop(carrier);
}

/// A picture whose Content Credentials are kept at a URL, which its XMP names as an attribute or an element.
fn kept_at(f: &Fixture, url: &str, is_attribute: bool) -> PathBuf {
    let (path, plain) = f.picture("remote", Format::Jpeg);
    let (attribute, element) = match is_attribute {
        true => (format!(" dcterms:provenance=\"{url}\""), String::new()),
        false => (String::new(), format!("<dcterms:provenance>{url}</dcterms:provenance>")),
    };
    let xmp = format!(
        "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\
         <rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\
         <rdf:Description rdf:about=\"\" xmlns:dcterms=\"http://purl.org/dc/terms/\"{attribute}>{element}</rdf:Description>\
         </rdf:RDF></x:xmpmeta>"
    );
    let length = u16::try_from(xmp.len() + 2).unwrap().to_be_bytes();
    std::fs::write(&path, [&plain[..2], &[0xFF, 0xE1], &length, xmp.as_bytes(), &plain[2..]].concat()).unwrap();
    path
}

#[test]
fn credentials_that_are_kept_at_a_url_are_named_and_not_fetched() {
    const URL: &str = "https://reader:secret@credentials.example.com/manifests/1?a=1&signature=secret";
    const PUBLIC: &str = "https://credentials.example.com/manifests/1?…";
    let f = Fixture::new();
    for is_attribute in [true, false] {
        let original = kept_at(&f, &URL.replace('&', "&amp;"), is_attribute);
        let error = verify(&original, None).unwrap_err();
        assert!(matches!(&error, ReadError::Remote(url) if url == URL), "{error:?}");
        assert!(error.to_string().contains("not fetched"), "{error}");
        let (path, _) = f.picture("made", Format::Jpeg);
        f.sign(&path, &opened(&original));
        let report = f.trusting(&path);
        let [ingredient] = &report.ingredients[..] else { panic!("{report:?}") };
        assert_eq!((report.state, ingredient.has_credentials), (State::Trusted, false), "{report:?}");
        let description = ingredient.description.as_deref().unwrap_or_default();
        assert!(
            description.ends_with(&format!("its Content Credentials are kept at {PUBLIC}, not fetched")),
            "{description}"
        );
    }
    // A reference into the file itself, whose credentials were removed, and an address that nobody could fetch from.
    for url in ["self#jumbf=/c2pa/1", "C:\\credentials"] {
        assert!(matches!(verify(&kept_at(&f, url, true), None), Err(ReadError::None)), "{url}");
    }
}

#[test]
fn a_stranger_who_signs_is_not_trusted() {
    let (f, stranger) = (Fixture::new(), Fixture::new());
    let (path, _) = f.picture("plain", Format::Jpeg);
    stranger.sign(&path, &created());
    let report = f.trusting(&path);
    assert_eq!(report.state, State::Valid);
    assert!(report.problems.iter().any(|problem| problem.contains("untrusted")), "{report:?}");
    assert!(verify(&path, None).unwrap().problems.is_empty());
}

#[test]
fn a_file_that_cannot_be_signed_stays_as_it_was() {
    let f = Fixture::new();
    let (path, plain) = f.picture("plain", Format::Jpeg);
    let refusing = |_: &[u8]| Err(aerie_sign::SignError("no key".to_owned()));
    let error = embed(&path, &created(), f.identity.certificate(), &refusing).unwrap_err();
    assert!(error.to_string().contains("no key"), "{error}");
    assert!(std::fs::read(&path).unwrap() == plain);
    assert_eq!(std::fs::read_dir(f.folder.path()).unwrap().count(), 1);
    let text = f.path("text.json");
    std::fs::write(&text, "{}").unwrap();
    let error = embed_by(&f.identity, &text, &created()).unwrap_err();
    assert!(error.to_string().contains("cannot carry"), "{error}");
}

/// The certificate chain and key of an operator, in files.
fn operator(folder: &Path, algorithm: &'static SignatureAlgorithm) -> (PathBuf, PathBuf, String) {
    let key_of = |algorithm| KeyPair::generate_for(algorithm).unwrap();
    let params = |name: &str| {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.distinguished_name.push(DnType::OrganizationName, "Acme Homes");
        params
    };
    let (root_key, key) = (key_of(&PKCS_ECDSA_P256_SHA256), key_of(algorithm));
    let mut root = params("Acme root");
    root.is_ca = IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    root.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    let root_pem = root.self_signed(&root_key).unwrap().pem();
    let issuer = Issuer::from_ca_cert_pem(&root_pem, &root_key).unwrap();
    let mut leaf = params("Acme media");
    leaf.use_authority_key_identifier_extension = true;
    leaf.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    leaf.extended_key_usages = vec![ExtendedKeyUsagePurpose::EmailProtection];
    let leaf_pem = leaf.signed_by(&key, &issuer).unwrap().pem();
    let (certificate, secret) = (folder.join("certificate.pem"), folder.join("key.pem"));
    std::fs::write(&certificate, format!("{leaf_pem}{root_pem}")).unwrap();
    let _ = std::fs::remove_file(&secret);
    std::fs::write(&secret, key.serialize_pem()).unwrap();
    std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o600)).unwrap();
    (certificate, secret, root_pem)
}

#[test]
fn an_operators_certificate_signs_with_every_kind_of_key() {
    let f = Fixture::new();
    for algorithm in [&PKCS_ECDSA_P256_SHA256, &PKCS_ECDSA_P384_SHA384, &PKCS_ED25519] {
        let (certificate, key, root) = operator(f.folder.path(), algorithm);
        let identity = Identity::read(&certificate, &key).unwrap();
        assert_eq!((identity.name(), tried(&identity)), ("Acme media", Ok(())));
        let (path, _) = f.picture("plain", Format::Jpeg);
        embed_by(&identity, &path, &created()).unwrap();
        let report = verify(&path, Some(&root)).unwrap();
        assert_eq!(report.state, State::Trusted, "{algorithm:?}: {report:?}");
        assert_eq!(report.signer.unwrap().name.as_deref(), Some("Acme media"));
    }
}

#[test]
fn a_key_that_is_exposed_malformed_or_of_another_certificate_is_refused_with_the_file_and_the_remedy() {
    let f = Fixture::new();
    let (certificate, key, _) = operator(f.folder.path(), &PKCS_ECDSA_P256_SHA256);
    let refused = |certificate: &Path, key: &Path| Identity::read(certificate, key).unwrap_err().to_string();
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert!(refused(&certificate, &key).contains("chmod 600"));
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o600)).unwrap();
    assert!(refused(&key, &key).contains("no certificate"));
    std::fs::write(&key, KeyPair::generate().unwrap().serialize_pem()).unwrap();
    let error = refused(&certificate, &key);
    assert!(error.contains("key.pem") && error.contains("belong together"), "{error}");
    std::fs::write(&key, "no key").unwrap();
    assert!(refused(&certificate, &key).contains("PKCS #8"));
    assert!(refused(&certificate, &f.path("none.pem")).contains("none.pem"));
}

#[test]
fn a_certificate_for_other_uses_is_refused() {
    let f = Fixture::new();
    let (key, server) = (f.path("key.pem"), f.path("server.pem"));
    let pair = KeyPair::generate().unwrap();
    let mut params = CertificateParams::default();
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    std::fs::write(&server, params.self_signed(&pair).unwrap().pem()).unwrap();
    std::fs::write(&key, pair.serialize_pem()).unwrap();
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o600)).unwrap();
    let error = tried(&Identity::read(&server, &key).unwrap()).unwrap_err();
    assert_eq!(error, "the certificate is invalid");
}

/// Reads with a validator of others: the C2PA library for Python, in the interpreter that `AERIE_C2PA_PYTHON` names.
fn read_by_others(path: &Path, root: &str) -> serde_json::Value {
    const SCRIPT: &str = "import c2pa, json, sys\n\
        settings = {'trust': {'trust_anchors': sys.argv[2]}, 'verify': {'remote_manifest_fetch': False}}\n\
        context = c2pa.Context(c2pa.Settings.from_dict(settings))\n\
        print(c2pa.Reader(sys.argv[1], context=context).json())";
    let python = std::env::var("AERIE_C2PA_PYTHON").expect("AERIE_C2PA_PYTHON names a Python with c2pa-python");
    let read = Command::new(python).arg("-c").arg(SCRIPT).arg(path).arg(root).output().expect("Python starts");
    assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
    serde_json::from_slice(&read.stdout).unwrap()
}

#[test]
#[ignore = "needs AERIE_C2PA_PYTHON, a Python with the package c2pa-python"]
fn another_validator_trusts_the_files_and_detects_changed_ones() {
    let f = Fixture::new();
    let (original, _) = f.picture("original", Format::Jpeg);
    f.sign(&original, &created());
    let mut files: Vec<PathBuf> = Format::ALL.into_iter().map(|format| f.picture("made", format).0).collect();
    files.iter().for_each(|path| f.sign(path, &opened(&original)));
    let video = f.path("film.mp4");
    film(&video);
    f.sign(&video, &created());
    files.push(video);
    for path in files {
        let read = read_by_others(&path, f.authority.certificate());
        assert_eq!(read["validation_state"], "Trusted", "{}: {read:#}", path.display());
        let size = std::fs::metadata(&path).unwrap().len() as usize;
        change(&path, if path.extension().is_some_and(|end| end == "webp") { size / 2 } else { size - 100 });
        let read = read_by_others(&path, f.authority.certificate());
        assert_eq!(read["validation_state"], "Invalid", "{}: {read:#}", path.display());
    }
}
