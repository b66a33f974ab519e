import Larder

/// The model of a hundred properties.
final class Wide: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var i0: Int
  @Persisted var i1: Int
  @Persisted var i2: Int
  @Persisted var i3: Int
  @Persisted var i4: Int
  @Persisted var i5: Int
  @Persisted var i6: Int
  @Persisted var i7: Int
  @Persisted var i8: Int
  @Persisted var i9: Int
  @Persisted var i10: Int
  @Persisted var i11: Int
  @Persisted var i12: Int
  @Persisted var i13: Int
  @Persisted var i14: Int
  @Persisted var i15: Int
  @Persisted var i16: Int
  @Persisted var i17: Int
  @Persisted var i18: Int
  @Persisted var i19: Int
  @Persisted var i20: Int
  @Persisted var i21: Int
  @Persisted var i22: Int
  @Persisted var i23: Int
  @Persisted var i24: Int
  @Persisted var i25: Int
  @Persisted var i26: Int
  @Persisted var i27: Int
  @Persisted var i28: Int
  @Persisted var i29: Int
  @Persisted var i30: Int
  @Persisted var i31: Int
  @Persisted var i32: Int
  @Persisted var i33: Int
  @Persisted var i34: Int
  @Persisted var i35: Int
  @Persisted var i36: Int
  @Persisted var i37: Int
  @Persisted var i38: Int
  @Persisted var i39: Int
  @Persisted var i40: Int
  @Persisted var i41: Int
  @Persisted var i42: Int
  @Persisted var i43: Int
  @Persisted var i44: Int
  @Persisted var i45: Int
  @Persisted var i46: Int
  @Persisted var i47: Int
  @Persisted var i48: Int
  @Persisted var d0: Double
  @Persisted var d1: Double
  @Persisted var d2: Double
  @Persisted var d3: Double
  @Persisted var d4: Double
  @Persisted var d5: Double
  @Persisted var d6: Double
  @Persisted var d7: Double
  @Persisted var d8: Double
  @Persisted var d9: Double
  @Persisted var d10: Double
  @Persisted var d11: Double
  @Persisted var d12: Double
  @Persisted var d13: Double
  @Persisted var d14: Double
  @Persisted var d15: Double
  @Persisted var d16: Double
  @Persisted var d17: Double
  @Persisted var d18: Double
  @Persisted var d19: Double
  @Persisted var d20: Double
  @Persisted var d21: Double
  @Persisted var d22: Double
  @Persisted var d23: Double
  @Persisted var d24: Double
  @Persisted var d25: Double
  @Persisted var d26: Double
  @Persisted var d27: Double
  @Persisted var d28: Double
  @Persisted var d29: Double
  @Persisted var t0: String
  @Persisted var t1: String
  @Persisted var t2: String
  @Persisted var t3: String
  @Persisted var t4: String
  @Persisted var t5: String
  @Persisted var t6: String
  @Persisted var t7: String
  @Persisted var t8: String
  @Persisted var t9: String
  @Persisted var t10: String
  @Persisted var t11: String
  @Persisted var t12: String
  @Persisted var t13: String
  @Persisted var t14: String
  @Persisted var t15: String
  @Persisted var t16: String
  @Persisted var t17: String
  @Persisted var t18: String
  @Persisted var t19: String

  convenience init(_ row: WideRow) {
    self.init()
    id = row.id
    fill(integers: row.integers)
    fill(doubles: row.doubles)
    fill(texts: row.texts)
  }

  private func fill(integers values: [Int]) {
    (i0, i1, i2, i3, i4, i5, i6) =
      (values[0], values[1], values[2], values[3], values[4], values[5], values[6])
    (i7, i8, i9, i10, i11, i12, i13) =
      (values[7], values[8], values[9], values[10], values[11], values[12], values[13])
    (i14, i15, i16, i17, i18, i19, i20) =
      (values[14], values[15], values[16], values[17], values[18], values[19], values[20])
    (i21, i22, i23, i24, i25, i26, i27) =
      (values[21], values[22], values[23], values[24], values[25], values[26], values[27])
    (i28, i29, i30, i31, i32, i33, i34) =
      (values[28], values[29], values[30], values[31], values[32], values[33], values[34])
    (i35, i36, i37, i38, i39, i40, i41) =
      (values[35], values[36], values[37], values[38], values[39], values[40], values[41])
    (i42, i43, i44, i45, i46, i47, i48) =
      (values[42], values[43], values[44], values[45], values[46], values[47], values[48])
  }

  private func fill(doubles values: [Double]) {
    (d0, d1, d2, d3, d4, d5, d6) =
      (values[0], values[1], values[2], values[3], values[4], values[5], values[6])
    (d7, d8, d9, d10, d11, d12, d13) =
      (values[7], values[8], values[9], values[10], values[11], values[12], values[13])
    (d14, d15, d16, d17, d18, d19, d20) =
      (values[14], values[15], values[16], values[17], values[18], values[19], values[20])
    (d21, d22, d23, d24, d25, d26, d27) =
      (values[21], values[22], values[23], values[24], values[25], values[26], values[27])
    (d28, d29) =
      (values[28], values[29])
  }

  private func fill(texts values: [String]) {
    (t0, t1, t2, t3, t4, t5, t6) =
      (values[0], values[1], values[2], values[3], values[4], values[5], values[6])
    (t7, t8, t9, t10, t11, t12, t13) =
      (values[7], values[8], values[9], values[10], values[11], values[12], values[13])
    (t14, t15, t16, t17, t18, t19) =
      (values[14], values[15], values[16], values[17], values[18], values[19])
  }
}
