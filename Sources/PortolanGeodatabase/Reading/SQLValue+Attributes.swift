internal import PortolanFeatureTables
internal import PortolanFeatures
internal import PortolanSQLite

extension SQLValue {
  /// The value as SQLite takes it; moments become Julian days.
  init(_ value: AttributeValue) { self.init(value) { .real(JulianDay.day($0)) } }
}
