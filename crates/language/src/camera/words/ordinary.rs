//! Words that are near to words of the tables, but are no typing errors or forms of them.

pub(super) const WORDS: &str = "abode abort abound accent alone among angel angler ankle atlas aura auras barrio based bases basing bellow bogey \
    carve clover crabs crank crape crave craze creed creek crepe crone curse decent drove eater eleven entries entry \
    ester fallow fellow fixes fixing forage force forced forger forget forgo forte fountain freezer frieze frond \
    frost heron hither holes hoods inclination incline inclined inclines inline licks literal literally locket loser \
    lover monger monster month overly pane panel paneled panels panes pasted pasting patch patio plant plants \
    plunger preps presses reins repeal resolve retrace retread revel revere reverie revile revolver righted rights \
    rodeo rotund rounded runner sheep sleep slice slicer slime sling sliver spider stationery steep sting strike \
    stripe stripes strive sunken swatch sweet swine thorough though trace traces tract traverse trick trough truce \
    trunk trunks tucked tucking udder umber upper versed verses wicker window windows";
