internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON

/// The made-up water network of the made-up town, as files that packages are made from.
struct WaterNetwork {
  private let plan = TownPlan()

  /// The numbers of the houses along a block, beside its hundred; odd ones are on the other side.
  private static let houseNumbers = [4, 23, 46]
  /// How far houses are from the middle of the street, in degrees.
  private static let setback = 0.00028

  /// The files, by their names beside the specification.
  var files: [(name: String, data: Data)] {
    [
      ("mains.geojson", collection(mains)), ("laterals.geojson", collection(laterals)),
      ("valves.geojson", collection(valves)), ("hydrants.csv", hydrants),
      ("addresses.csv", addresses), ("streets.geojson", collection(streets)),
      ("parks.geojson", collection(parks)), ("river.geojson", collection(river)),
    ]
  }

  private func collection(_ features: [JSONValue]) -> Data {
    let lines = features.map { $0.text() }.joined(separator: ",\n")
    return Data(("{\"type\":\"FeatureCollection\",\"features\":[\n" + lines + "\n]}\n").utf8)
  }

  private func feature(
    _ type: String, _ coordinates: JSONValue, _ properties: JSONObject
  ) -> JSONValue {
    [
      "type": "Feature", "geometry": ["type": .string(type), "coordinates": coordinates],
      "properties": .object(properties),
    ]
  }

  // MARK: Network

  private var mains: [JSONValue] {
    plan.blocks.enumerated().map { index, block in
      let year = self.year(index, block)
      let age = 2026 - year
      return feature(
        "LineString", [position(block.start), position(block.end)],
        [
          "MAINID": .string(id("M", index)), "STREET": .string(block.street.name),
          "MATERIAL": .string(material(year)),
          "DIAMETER": .integer(block.street.isArterial ? 400 : [150, 200, 300][index % 3]),
          "INSTALLED": .integer(Int64(year)),
          "CONDITION": .integer(Int64(min(5, max(1, age / 20 + dice("condition", index, 3))))),
          "LENGTH_M": .number((block.length * 10).rounded() / 10),
        ])
    }
  }

  private var laterals: [JSONValue] {
    houses.map { house in
      let year = self.year(house.index, house.block)
      return feature(
        "LineString",
        [position(house.block.place(at: house.part)), position(house.place)],
        [
          "LATERALID": .string(id("L", house.index)), "ADDRESS": .string(house.address),
          "MATERIAL": .string(year < 1950 ? "Lead" : year < 1985 ? "Copper" : "Polyethylene"),
          "DIAMETER": .integer([20, 25, 40][dice("lateral", house.index, 3)]),
          "INSTALLED": .integer(Int64(year)),
        ])
    }
  }

  /// Two valves at each crossing.
  private var valves: [JSONValue] {
    let crossings = (0..<TownPlan.streetCount * TownPlan.streetCount).map {
      ($0 / TownPlan.streetCount, $0 % TownPlan.streetCount)
    }
    return crossings.enumerated().flatMap { index, crossing in
      let place = plan.crossing(crossing.0, crossing.1)
      let avenue = plan.streets[crossing.0]
      let street = plan.streets[TownPlan.streetCount + crossing.1]
      return (0..<2).map { side in
        let number = index * 2 + side
        let offset = side == 0 ? Coordinate(x: 0.00018, y: 0) : Coordinate(x: 0, y: 0.00014)
        return feature(
          "Point", position(Coordinate(x: place.x + offset.x, y: place.y + offset.y)),
          [
            "VALVEID": .string(id("V", number)),
            "CROSSING": .string("\(avenue.name) & \(street.name)"),
            "KIND": .string(["Gate", "Gate", "Butterfly", "Air release"][dice("kind", number, 4)]),
            "STATE": .string(dice("state", number, 40) == 0 ? "Closed" : "Open"),
            "TURNS": .integer(Int64(12 + dice("turns", number, 30))),
          ])
      }
    }
  }

  /// A hydrant a block, with what it gave at its last test.
  private var hydrants: Data {
    var lines = ["HYDRANTID,ADDRESS,FLOW_GPM,PRESSURE_PSI,TESTED,longitude,latitude"]
    for (index, block) in plan.blocks.enumerated() {
      let place = block.place(at: 0.12, aside: 0.0001)
      let number = (block.number + 1) * 100 + 2
      let flow = (block.street.isArterial ? 900 : 350) + dice("flow", index, 120) * 10
      lines.append(
        [
          id("H", index), "\(number) \(block.street.name)", "\(flow)",
          "\(40 + dice("pressure", index, 40))",
          "20\(20 + dice("year", index, 6))-\(pad(1 + dice("month", index, 12)))-15",
          degrees(place.x), degrees(place.y),
        ].joined(separator: ","))
    }
    return Data((lines.joined(separator: "\n") + "\n").utf8)
  }

  private var addresses: Data {
    var lines = ["ADDRESS,CITY,USE,longitude,latitude"]
    for house in houses {
      lines.append(
        [
          house.address, "Naperville",
          ["Home", "Home", "Home", "Shop", "School"][dice("use", house.index, 5)],
          degrees(house.place.x), degrees(house.place.y),
        ].joined(separator: ","))
    }
    return Data((lines.joined(separator: "\n") + "\n").utf8)
  }

  private struct House {
    var index: Int
    var block: TownPlan.Block
    var part: Double
    var place: Coordinate
    var address: String
  }

  private var houses: [House] {
    plan.blocks.enumerated().flatMap { block, piece in
      Self.houseNumbers.enumerated().map { house, offset in
        let index = block * Self.houseNumbers.count + house
        let part = (Double(house) + 0.7) / (Double(Self.houseNumbers.count) + 0.4)
        let side = offset.isMultiple(of: 2) ? 1.0 : -1.0
        let number = (piece.number + 1) * 100 + offset
        return House(
          index: index, block: piece, part: part,
          place: piece.place(at: part, aside: side * Self.setback),
          address: "\(number) \(piece.street.name)")
      }
    }
  }

  // MARK: Backdrop

  private var streets: [JSONValue] {
    plan.streets.map { street in
      let places = (0..<TownPlan.streetCount).map {
        street.isAvenue ? plan.crossing(street.index, $0) : plan.crossing($0, street.index)
      }
      return feature(
        "LineString", .array(places.map(position)), ["NAME": .string(street.name)])
    }
  }

  private var parks: [JSONValue] {
    plan.parks.map { park in
      feature("Polygon", [.array(park.ring.map(position))], ["NAME": .string(park.name)])
    }
  }

  private var river: [JSONValue] {
    [
      feature(
        "Polygon", [.array(plan.river.map(position))], ["NAME": "Mill River"])
    ]
  }

  // MARK: Values

  /// The town grew from the river outwards.
  private func year(_ index: Int, _ block: TownPlan.Block) -> Int {
    let distance = abs(block.start.x + 88.148) / 0.05
    return min(2024, 1920 + Int(distance * 90) + dice("year", index, 18))
  }

  private func material(_ year: Int) -> String {
    if year < 1945 { return "Cast iron" }
    if year < 1965 { return "Steel" }
    return year < 1990 ? "Ductile iron" : "PVC"
  }

  private func id(_ letter: String, _ index: Int) -> String {
    let number = "\(index + 1)"
    return "\(letter)-" + String(repeating: "0", count: max(0, 5 - number.count)) + number
  }

  private func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private func position(_ place: Coordinate) -> JSONValue {
    [.number(rounded(place.x)), .number(rounded(place.y))]
  }

  private func degrees(_ value: Double) -> String { "\(rounded(value))" }

  /// Ten centimetres are enough.
  private func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }

  /// A number from 0 to below `count` that looks like chance and is the same every time.
  private func dice(_ purpose: String, _ index: Int, _ count: Int) -> Int {
    var bits = UInt64(truncatingIfNeeded: index) &+ 1
    for byte in purpose.utf8 { bits = (bits ^ UInt64(byte)) &* 0x100_0000_01B3 }
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return Int((bits ^ bits >> 31) % UInt64(count))
  }
}
