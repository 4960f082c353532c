public import PortolanFeatures

/// A store that found out when it was opened what of its file cannot be read.
public protocol SurveyedStore: FeatureStore {
  /// What cannot be read, the first ones.
  var failures: [ConversionResult.Failure] { get }
  /// How much cannot be read.
  var damagedCount: Int { get }
  /// What the tables could not take over as it is, in sentences.
  var notes: [String] { get }
  /// The definition of what coordinates mean that is not understood, of which ``notes`` tell, too.
  var unknownReference: UnknownReference? { get }
}

extension SurveyedStore {
  public var unknownReference: UnknownReference? { nil }

  /// The notes for whom what coordinates mean is known, or is no matter: all but that on its definition.
  public var notesOnRows: [String] { notes.filter { $0 != unknownReference?.note } }

  /// How many unreadable parts are listed one by one.
  private static var maximumReported: Int { 20 }

  /// What cannot be read, a sentence each; beyond the first ones only how many there are.
  public var unreadableParts: [String] {
    let told = failures.prefix(Self.maximumReported).map(\.summary)
    let rest = damagedCount - told.count
    return rest > 0 ? told + ["\(rest) more cannot be read."] : told
  }
}

extension GeoJSONFile: SurveyedStore {}
