//! More variants than a test has time for: `make measure`.

#[test]
#[ignore = "needs AERIE_TEST_DATA"]
fn two_hundred_variants_of_each_real_model_never_panic() {
    crate::mutations::change_models(200);
}
