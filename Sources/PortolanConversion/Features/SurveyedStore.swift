internal import PortolanFeatures

/// A store that found out when it was opened what of its file cannot be read.
protocol SurveyedStore: FeatureStore {
  /// What cannot be read, the first ones.
  var failures: [ConversionResult.Failure] { get }
  /// How much cannot be read.
  var damagedCount: Int { get }
  /// What the tables could not take over as it is, in sentences.
  var notes: [String] { get }
}

extension GeoJSONFile: SurveyedStore {}
